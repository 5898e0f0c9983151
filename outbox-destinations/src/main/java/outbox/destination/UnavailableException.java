package outbox.destination;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/**
 * The destination as a whole can't be reached or takes nothing: no event is to blame, and none is
 * charged with an attempt.
 */
public class UnavailableException extends OutboxException {

  private static final long serialVersionUID = 1L;
  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  private final @Nullable Duration retryAfter;

  public UnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, null);
  }

  /**
   * Of a destination that said when to come back. What asks for more than a day is asked again
   * after a day.
   *
   * @param retryAfter how long to leave it alone; null if it didn't say
   */
  public UnavailableException(
      String message, @Nullable Throwable cause, @Nullable Duration retryAfter) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }

  /** How long the destination asked to be left alone. */
  public final Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** What is done of it. For ever is not: nobody could say that it is back. */
  final Optional<Duration> pause() {
    return retryAfter()
        .map(asked -> asked.isNegative() ? Duration.ZERO : asked)
        .map(asked -> asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked);
  }
}
