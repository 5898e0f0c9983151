package outbox.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import outbox.internal.Transactions;
import outbox.internal.Transactions.Work;

/**
 * Sees what others have written and not committed yet, on a connection that is in no transaction.
 * The level of the connection is afterwards what it was, also if the work fails.
 */
public final class ReadUncommitted {

  private ReadUncommitted() {}

  /** For databases that set the level of the next transaction alone, which saves trips. */
  public static <T> T inNextTransaction(Connection connection, Work<T> work) throws SQLException {
    try {
      return Transactions.committed(
          connection,
          tx -> {
            try (Statement statement = tx.createStatement()) {
              statement.execute("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
            }
            return work.on(tx);
          });
    } catch (Throwable e) {
      resetNextTransaction(connection, e);
      throw e;
    }
  }

  /** A statement that fails before its transaction has begun leaves the level to the next one. */
  private static void resetNextTransaction(Connection connection, Throwable cause) {
    try {
      connection.setTransactionIsolation(connection.getTransactionIsolation());
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  public static <T> T onConnection(Connection connection, Work<T> work) throws SQLException {
    int before = connection.getTransactionIsolation();
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
    try {
      return Transactions.committed(connection, work);
    } finally {
      connection.setTransactionIsolation(before);
    }
  }
}
