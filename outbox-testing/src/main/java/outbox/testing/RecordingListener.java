package outbox.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import outbox.EventEnvelope;
import outbox.EventListener;

/** Remembers every event it is called with, in order, before it does what it was told to. */
public final class RecordingListener implements EventListener {

  private final List<EventEnvelope> events = new CopyOnWriteArrayList<>();
  private final EventListener then;

  /** Accepts every event. */
  public RecordingListener() {
    this(event -> {});
  }

  /** Goes on with another listener, which may throw. */
  public RecordingListener(EventListener then) {
    this.then = then;
  }

  @Override
  public void onEvent(EventEnvelope event) throws Exception {
    events.add(event);
    then.onEvent(event);
  }

  /** One entry per call, failed ones included. */
  public List<EventEnvelope> events() {
    return List.copyOf(events);
  }

  public List<String> eventIds() {
    return events.stream().map(EventEnvelope::eventId).toList();
  }

  public int count() {
    return events.size();
  }
}
