package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.internal.TransactionSettings;
import outbox.internal.Transactions;
import outbox.jdbc.internal.Condition;
import outbox.jdbc.store.OrderedDialect.Setting;

/**
 * Has statements give up after a second on rows that somebody else keeps locked, because what they
 * write of other rows would wait, too. That goes for transactions of the engine's and for what
 * commits by itself; a transaction of the application's own is left as it is.
 */
record LockWait(@Nullable OrderedDialect dialect) {

  /** Runs statements about rows that are leased for this long; null: they are not. */
  <T> T during(Connection connection, @Nullable Duration lease, Transactions.Work<T> statements)
      throws SQLException {
    if (TransactionSettings.areOf(connection)) {
      limit(connection, lease);
      return statements.on(connection);
    }
    if (dialect == null || dialect.limitWait(null) == null || !isAutoCommit(connection)) {
      return statements.on(connection);
    }
    return TransactionSettings.during(
        connection,
        alone -> {
          limit(alone, null);
          return statements.on(alone);
        });
  }

  /** For the transaction of the connection; given a lease, it may not stand still for long. */
  void limit(Connection connection, @Nullable Duration lease) throws SQLException {
    Duration patience = lease == null ? null : Standstill.patience(lease);
    Setting setting = dialect == null ? null : dialect.limitWait(patience);
    if (setting != null) {
      setting.apply(connection);
    }
  }

  /** The condition of such a statement, with what limits it where a condition does. */
  Condition within(Connection connection, Condition where) {
    String limit = dialect == null ? null : dialect.limitingCondition();
    return limit != null && (TransactionSettings.areOf(connection) || isAutoCommit(connection))
        ? where.and(Condition.of(limit))
        : where;
  }

  /** A connection that can't tell is broken, which its next use will show. */
  private static boolean isAutoCommit(Connection connection) {
    try {
      return connection.getAutoCommit();
    } catch (SQLException e) {
      return false;
    }
  }
}
