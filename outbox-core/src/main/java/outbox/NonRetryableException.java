package outbox;

import outbox.util.Nullable;

/**
 * Thrown by a listener for an event that no further try can help: it is DEAD at once, whatever
 * tries are left.
 */
public class NonRetryableException extends OutboxException {

  private static final long serialVersionUID = 1L;

  public NonRetryableException(String message) {
    this(message, null);
  }

  public NonRetryableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
