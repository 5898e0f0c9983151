package outbox.samples.multids;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import outbox.EventEnvelope;

/** Remembers what it was given, and refuses everything while it is broken. */
final class Listener {

  private final List<String> received = new CopyOnWriteArrayList<>();
  private volatile boolean isBroken;

  void receive(EventEnvelope event) throws IOException {
    if (isBroken) {
      throw new IOException("connection refused");
    }
    received.add(event.eventType() + " " + event.aggregateId());
  }

  void isBroken(boolean isBroken) {
    this.isBroken = isBroken;
  }

  List<String> received() {
    return List.copyOf(received);
  }
}
