package outbox.dispatch;

import java.time.Duration;
import outbox.EventEnvelope;
import outbox.util.Nullable;

/** One try of one event: how long its listener took, and who has to hear of its end. */
final class Attempt {

  private final Delivery delivery;
  private int entered;
  private long startNanos;
  private long endNanos;
  private boolean begun;
  private boolean over;

  Attempt(Delivery delivery) {
    this.delivery = delivery;
  }

  Delivery delivery() {
    return delivery;
  }

  EventEnvelope envelope() {
    return delivery.envelope();
  }

  /** The listener is about to be called. */
  void begins() {
    startNanos = System.nanoTime();
    begun = true;
  }

  /** The listener has returned, or its time is over; what is said later has no effect. */
  void ends() {
    if (!over) {
      endNanos = System.nanoTime();
      over = true;
    }
  }

  /** What the listener took; null if it was not called. */
  @Nullable
  Duration listenerTime() {
    return begun ? Duration.ofNanos(endNanos - startNanos) : null;
  }

  int entered() {
    return entered;
  }

  void enteredOneMore() {
    entered++;
  }
}
