package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Has the database end a transaction of ours whose client does nothing any more: a node that stands
 * still in the middle of one keeps its locks, and with them others from its rows, however long ago
 * its leases have run out.
 */
record Standstill(@Nullable OrderedDialect dialect) {

  private static final Duration LEAST = Duration.ofSeconds(1);

  /** Half of the lease, so that locks are gone before anybody needs the rows. */
  static Duration patience(Duration lease) {
    return atLeast(lease.dividedBy(2));
  }

  /** Renewals are a third of the lease apart, and one that fails must be made up for in time. */
  static Duration patienceWithOthersRows(Duration lease) {
    return atLeast(lease.dividedBy(6));
  }

  /** For the transaction of the connection, which locks rows that are leased for this long. */
  void limit(Connection connection, Duration lease) throws SQLException {
    apply(connection, patience(lease));
  }

  /**
   * For one that also locks rows of others: InnoDB keeps the locks of rows that a search along an
   * index has only passed over.
   */
  void limitWithOthersRows(Connection connection, Duration lease) throws SQLException {
    apply(connection, patienceWithOthersRows(lease));
  }

  private void apply(Connection connection, Duration patience) throws SQLException {
    OrderedDialect.Setting limit = dialect == null ? null : dialect.limitStandstill(patience);
    if (limit != null) {
      limit.apply(connection);
    }
  }

  private static Duration atLeast(Duration patience) {
    return patience.compareTo(LEAST) < 0 ? LEAST : patience;
  }
}
