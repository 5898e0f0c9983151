package outbox.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * InnoDB's default isolation locks the gaps that a locking read passes, and so stops inserts and
 * deadlocks nodes; READ COMMITTED locks rows only.
 */
public final class ReadCommitted {

  private static final String TRANSACTION_IN_PROGRESS = "25001";

  private ReadCommitted() {}

  /**
   * Sets the level of the transaction that the next statement begins, and of no other. Has no
   * effect on one that is already in progress.
   */
  public static void forNextTransaction(Connection connection) throws SQLException {
    if (connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    } catch (SQLException e) {
      if (!TRANSACTION_IN_PROGRESS.equals(e.getSQLState())) {
        throw e;
      }
    }
  }
}
