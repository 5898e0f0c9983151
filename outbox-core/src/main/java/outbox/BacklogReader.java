package outbox;

import java.sql.SQLException;
import java.util.Objects;
import outbox.internal.Require;
import outbox.internal.Transactions;
import outbox.spi.Backlog;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;

/**
 * Counts what a table holds that has not been delivered, at a cost that does not grow with the
 * table. Safe for all threads.
 */
public final class BacklogReader {

  private final ConnectionProvider connections;
  private final OutboxStore store;

  public BacklogReader(ConnectionProvider connections, OutboxStore store) {
    this.connections = Objects.requireNonNull(connections, "connections must not be null");
    this.store = Objects.requireNonNull(store, "store must not be null");
  }

  /**
   * Counts up to {@code atMost} of each.
   *
   * @throws OutboxException if the database can't be asked
   * @throws UnsupportedOperationException if the store can't do this
   */
  public Backlog read(int atMost) {
    Require.atLeast(1, "atMost", atMost);
    try {
      return Transactions.onConnection(
          connections,
          connection -> {
            store.alignClock(connection);
            return store.backlog(connection, atMost);
          });
    } catch (SQLException e) {
      throw new OutboxException("could not read the backlog", e);
    }
  }
}
