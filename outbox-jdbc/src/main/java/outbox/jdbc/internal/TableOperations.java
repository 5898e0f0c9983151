package outbox.jdbc.internal;

import java.sql.SQLException;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableName;

/** Runs operations on a table; of one that fails it says which, why, and the remedy. */
public record TableOperations(TableName table, String database) {

  /** What an operation does. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws SQLException;
  }

  /** The operation completes the sentence "could not …". */
  public <T> T run(String operation, Work<T> work) {
    try {
      return work.run();
    } catch (SQLException e) {
      throw OutboxStoreException.redacted(message(operation, e), e);
    } catch (OutboxStoreException e) {
      throw e.getCause() instanceof SQLException cause
          ? new OutboxStoreException(message(operation, cause), cause)
          : e;
    }
  }

  private String message(String operation, SQLException cause) {
    return "could not %s in table %s: %s".formatted(operation, table, Reason.of(cause, database));
  }
}
