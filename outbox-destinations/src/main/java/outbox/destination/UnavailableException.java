package outbox.destination;

import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/**
 * The destination as a whole can't be reached or takes nothing: no event is to blame, and none is
 * charged with an attempt.
 */
public class UnavailableException extends OutboxException {

  private static final long serialVersionUID = 1L;

  public UnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
