package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.TableOperations.Work;

/**
 * Has the database end a transaction of ours whose client does nothing any more: a node that stands
 * still in the middle of one keeps its locks, and with them others from its rows, however long ago
 * its leases have run out.
 */
record Standstill(@Nullable OrderedDialect dialect) {

  private static final Duration LEAST = Duration.ofSeconds(1);

  /** Half of the lease, so that locks are gone before anybody needs the rows. */
  static Duration patience(Duration lease) {
    Duration half = lease.dividedBy(2);
    return half.compareTo(LEAST) < 0 ? LEAST : half;
  }

  /** Runs what locks rows that are leased for this long. */
  <T> T limited(Connection connection, Duration lease, Work<T> work) throws SQLException {
    if (dialect == null) {
      return work.run();
    }
    execute(connection, dialect.limitStandstill(patience(lease)));
    T result;
    try {
      result = work.run();
    } catch (SQLException | RuntimeException e) {
      undo(connection, dialect.unlimited(), e);
      throw e;
    }
    execute(connection, dialect.unlimited());
    return result;
  }

  /** The first failure is the one to tell of. */
  private static void undo(Connection connection, @Nullable String sql, Exception failure) {
    try {
      execute(connection, sql);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static void execute(Connection connection, @Nullable String sql) throws SQLException {
    if (sql != null) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }
}
