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

  private final @Nullable Duration retryAfter;

  public UnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, null);
  }

  /**
   * Of a destination that said when to come back.
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
}
