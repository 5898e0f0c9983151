package outbox.jdbc.internal;

import java.sql.SQLException;
import java.util.function.BiFunction;
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
    return run(operation, work, Reason::of);
  }

  /** Likewise for what delivery in order does, which needs more than the table. */
  public <T> T runOrdered(String operation, Work<T> work) {
    return run(operation, work, Reason::ofOrdered);
  }

  private <T> T run(
      String operation, Work<T> work, BiFunction<SQLException, String, String> reason) {
    try {
      return work.run();
    } catch (SQLException e) {
      throw OutboxStoreException.redacted(message(operation, reason.apply(e, database)), e);
    } catch (OutboxStoreException e) {
      throw e.getCause() instanceof SQLException cause
          ? new OutboxStoreException(message(operation, reason.apply(cause, database)), cause)
          : e;
    }
  }

  private String message(String operation, String reason) {
    return "could not %s in table %s: %s".formatted(operation, table, reason);
  }
}
