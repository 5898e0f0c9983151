package outbox;

import outbox.util.Nullable;

/** The root of every unchecked exception that this library declares. */
public class OutboxException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public OutboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
