package outbox.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import outbox.spi.ConnectionProvider;

/**
 * Runs work on a connection so that it is committed whatever the connection's auto-commit default
 * is, and rolled back if it throws. The only place of the engine that touches auto-commit.
 */
public final class Transactions {

  /** Work that needs a connection. */
  @FunctionalInterface
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private Transactions() {}

  /**
   * Runs each statement of the work as its connection is set up: by itself under auto-commit, else
   * all in one transaction. A provider for a store without a database may hand out null.
   */
  public static <T> T onConnection(ConnectionProvider provider, Work<T> work) throws SQLException {
    try (Connection connection = open(provider)) {
      return connection == null ? work.on(connection) : committedInTime(connection, work);
    }
  }

  /** Pools have many ways to say that there is no connection; for the engine they are one. */
  private static Connection open(ConnectionProvider provider) throws SQLException {
    try {
      return provider.getConnection();
    } catch (SQLException e) {
      throw SqlErrors.isConnectionFailure(e)
          ? e
          : new SQLTransientConnectionException(
              "no connection can be had: " + e.getMessage(), e.getSQLState(), e.getErrorCode(), e);
    }
  }

  /** Like {@link #committed}, and ends calls that are never answered. */
  public static <T> T committedInTime(Connection connection, Work<T> work) throws SQLException {
    return NetworkTimeout.during(connection, () -> committed(connection, work));
  }

  /** Runs the work on a connection that is in no transaction, and commits if that is not done. */
  public static <T> T committed(Connection connection, Work<T> work) throws SQLException {
    return isAutoCommit(connection) ? work.on(connection) : commit(connection, work);
  }

  /** Runs the work as one transaction on a connection of its own. */
  public static <T> T inTransaction(ConnectionProvider provider, Work<T> work) throws SQLException {
    return onConnection(provider, connection -> inTransaction(connection, work));
  }

  /** Runs the work as one transaction, or as part of the one that the connection is in. */
  public static <T> T inTransaction(Connection connection, Work<T> work) throws SQLException {
    if (connection == null || !isAutoCommit(connection)) {
      return work.on(connection);
    }
    connection.setAutoCommit(false);
    T result;
    try {
      result = commit(connection, work);
    } catch (Throwable e) {
      restoreAutoCommit(connection, e);
      throw e;
    }
    connection.setAutoCommit(true);
    return result;
  }

  /** A connection that stands in for one, in somebody's test, may answer nothing. */
  private static boolean isAutoCommit(Connection connection) throws SQLException {
    try {
      return connection.getAutoCommit();
    } catch (RuntimeException e) {
      return true;
    }
  }

  private static void restoreAutoCommit(Connection connection, Throwable cause) {
    try {
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private static <T> T commit(Connection connection, Work<T> work) throws SQLException {
    TransactionSettings settings = TransactionSettings.of(connection);
    try {
      return commitOrRollBack(connection, work);
    } finally {
      settings.setBack();
    }
  }

  private static <T> T commitOrRollBack(Connection connection, Work<T> work) throws SQLException {
    try {
      T result = work.on(connection);
      connection.commit();
      return result;
    } catch (Throwable e) {
      rollback(connection, e);
      throw e;
    }
  }

  private static void rollback(Connection connection, Throwable cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }
}
