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
    Duration half = lease.dividedBy(2);
    return half.compareTo(LEAST) < 0 ? LEAST : half;
  }

  /** For the transaction of the connection, which locks rows that are leased for this long. */
  void limit(Connection connection, Duration lease) throws SQLException {
    OrderedDialect.Setting limit =
        dialect == null ? null : dialect.limitStandstill(patience(lease));
    if (limit != null) {
      limit.apply(connection);
    }
  }
}
