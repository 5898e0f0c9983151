package outbox.samples.demo.shop;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.samples.demo.books.Ledger;

/** Stands for a message broker or a remote service: takes a moment, and fails when told to. */
public final class Destination {

  private static final long ROUND_TRIP = Duration.ofMillis(5).toNanos();

  private record Trouble(String error, int mostRefusals) {}

  private final Ledger ledger;
  private volatile @Nullable Trouble trouble;

  public Destination(Ledger ledger) {
    this.ledger = ledger;
  }

  public void receive(EventEnvelope event) throws IOException {
    long arrived = System.nanoTime();
    LockSupport.parkNanos(ROUND_TRIP);
    Trouble current = trouble;
    if (current != null && ledger.refusals(event.eventId()) < current.mostRefusals()) {
      ledger.refused(event);
      throw new IOException(current.error());
    }
    ledger.delivered(event, arrived);
  }

  /** Refuses everything until it is repaired. */
  public void breakDown(String error) {
    trouble = new Trouble(error, Integer.MAX_VALUE);
  }

  /** Refuses events until it is repaired, but none more than twice. */
  public void stumble(String error) {
    trouble = new Trouble(error, 2);
  }

  public void repair() {
    trouble = null;
  }
}
