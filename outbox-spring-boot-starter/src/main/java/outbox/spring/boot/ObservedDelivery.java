package outbox.spring.boot;

import io.micrometer.observation.Observation;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import outbox.DeferException;

/** The observation of one call of a listener; it stops with the last of its events. */
final class ObservedDelivery {

  private final Observation observation;
  private final AtomicInteger unended;

  ObservedDelivery(Observation observation, int events) {
    this.observation = observation;
    unended = new AtomicInteger(events);
  }

  /** Says of what kind a failure was, in place of it: its message may quote the payload. */
  private static final class ListenerFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ListenerFailure(String message) {
      super(message, null, false, false);
    }
  }

  /** One of the events has ended. */
  void ended(@Nullable Exception error) {
    if (error != null && !(error instanceof DeferException)) {
      observation.error(new ListenerFailure(error.getClass().getName()));
    }
    if (unended.decrementAndGet() == 0) {
      observation.stop();
    }
  }
}
