package outbox.dispatch;

import java.time.Duration;
import outbox.EventEnvelope;
import outbox.util.Nullable;

/** The listener took longer than the dispatch timeout; the cause is what it threw after that. */
public final class DispatchTimeoutException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Duration timeout;

  DispatchTimeoutException(EventEnvelope event, Duration timeout, @Nullable Throwable cause) {
    super(
        "listener did not end within the dispatch timeout of %s: eventId=%s eventType=%s"
            .formatted(timeout, event.eventId(), event.eventType()),
        cause);
    this.timeout = timeout;
  }

  /** A batch is late as a whole; each of its events is told of itself. */
  static @Nullable Throwable about(EventEnvelope event, @Nullable Throwable failure) {
    return failure instanceof DispatchTimeoutException late
        ? new DispatchTimeoutException(event, late.timeout, late.getCause())
        : failure;
  }
}
