package outbox.spring.boot;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import outbox.BacklogReader;
import outbox.Outbox;
import outbox.OutboxException;
import outbox.dead.DeadEventManager;
import outbox.internal.Transactions;
import outbox.jdbc.TableName;
import outbox.model.DeadQuery;
import outbox.model.EventDetails;
import outbox.ordered.BlockedKeys;
import outbox.ordered.OrderedRelay;
import outbox.spi.ConnectionProvider;
import outbox.spi.LeaseTable.RelayNode;
import outbox.spi.OutboxStore;

/**
 * A table that this application writes to or delivers from, for those who look at it.
 *
 * @param name what it is called, here and nowhere else in the application
 * @param isDelivered whether this application delivers from it; empty if that is not known
 * @param relay whose nodes lease its partitions, where they are leased from here
 * @param blocked the aggregates that wait in it, whoever delivers them; empty if it keeps no order
 */
record WatchedTable(
    String name,
    OutboxStore store,
    ConnectionProvider connections,
    Optional<Boolean> isDelivered,
    Optional<String> relay,
    Optional<BlockedKeys> blocked) {

  /** What the one lease of single-active nodes is known by. */
  private static final String SINGLE_ACTIVE = "active";

  /** One of an outbox that the starter made. */
  static WatchedTable of(
      Settings settings, TableName table, OutboxStore store, ConnectionProvider connections) {
    Kind kind = settings.kind();
    String relay = relay(settings);
    boolean isDelivered = settings.delivers(table);
    return new WatchedTable(
        settings.label(table),
        store,
        connections,
        Optional.of(isDelivered),
        isDelivered && kind.needsOrderedTables() ? Optional.of(relay) : Optional.empty(),
        kind == Kind.ORDERED
            ? Optional.of(new BlockedKeys(connections, store, relay))
            : Optional.empty());
  }

  /** The one of an outbox that the application made, which goes by the name of the bean. */
  static WatchedTable of(String bean, Outbox outbox) {
    return new WatchedTable(
        bean,
        outbox.store(),
        outbox.connections(),
        Optional.empty(),
        Optional.empty(),
        Optional.ofNullable(blockedKeys(outbox)));
  }

  BacklogReader backlog() {
    return new BacklogReader(connections, store);
  }

  DeadEventManager dead() {
    return new DeadEventManager(connections, store);
  }

  /**
   * Unlike {@link #dead}, which is silent about a database that can't be asked.
   *
   * @throws OutboxException if it can't
   */
  List<EventDetails> queryDead(DeadQuery query) {
    return ask("query dead events", connection -> store.queryDead(connection, query));
  }

  List<RelayNode> nodes(String of) {
    return ask(
        "list the nodes of the relay",
        connection -> store.ordered().leases().nodes(connection, of));
  }

  private <T> T ask(String operation, Transactions.Work<T> work) {
    try {
      return Transactions.onConnection(connections, work);
    } catch (SQLException e) {
      throw new OutboxException("could not " + operation, e);
    }
  }

  private static String relay(Settings settings) {
    String name = settings.properties().ordered().name();
    if (settings.kind() == Kind.SINGLE_ACTIVE) {
      return SINGLE_ACTIVE;
    }
    return name == null ? OrderedRelay.DEFAULT_NAME : name;
  }

  static boolean isOrdered(Outbox outbox) {
    return blockedKeys(outbox) != null;
  }

  private static @Nullable BlockedKeys blockedKeys(Outbox outbox) {
    try {
      return outbox.blockedKeys();
    } catch (IllegalStateException keepsNoOrder) {
      return null;
    }
  }
}
