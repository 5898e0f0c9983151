package outbox.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/**
 * The database refused or failed an operation of the outbox. The message says which operation, on
 * which table, for which event, and what to do; it never shows a payload, and neither do the causes
 * that this library attaches.
 */
public class OutboxStoreException extends OutboxException {

  private static final long serialVersionUID = 1L;

  public OutboxStoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Leaves out of the cause what a driver quotes of the row, and keeps SQLState, vendor code and
   * stack trace.
   */
  public static OutboxStoreException redacted(String message, SQLException cause) {
    return new OutboxStoreException(message, Redaction.of(cause));
  }
}
