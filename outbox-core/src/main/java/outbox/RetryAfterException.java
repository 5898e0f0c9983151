package outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import outbox.internal.Require;
import outbox.util.Nullable;

/**
 * Thrown by a listener whose destination said when to come back: the next try is made no earlier.
 *
 * <p>The try counts as failed like any other, and as the last one it buries the event. The {@link
 * outbox.dispatch.RetryPolicy} is asked all the same, and the later of the two moments holds.
 */
public class RetryAfterException extends OutboxException {

  private static final long serialVersionUID = 1L;

  private final @Nullable Duration delay;
  private final @Nullable Instant moment;

  /** Not before this much time has passed since the try ended. */
  public RetryAfterException(Duration delay, String message) {
    this(delay, message, null);
  }

  public RetryAfterException(Duration delay, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.delay = Require.notNegative("delay", delay);
    moment = null;
  }

  /** Not before this moment; one that has passed asks for nothing. */
  public RetryAfterException(Instant moment, String message) {
    this(moment, message, null);
  }

  public RetryAfterException(Instant moment, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.moment = Objects.requireNonNull(moment, "moment must not be null");
    delay = null;
  }

  /** How long that is, seen from now; never negative. */
  public final Duration delayFrom(Instant now) {
    if (moment == null) {
      return Objects.requireNonNull(delay);
    }
    return moment.isAfter(now) ? Duration.between(now, moment) : Duration.ZERO;
  }
}
