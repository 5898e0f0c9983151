package outbox.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import outbox.BacklogReader;
import outbox.OutboxException;
import outbox.jdbc.TableName;
import outbox.ordered.OrderedRelay;
import outbox.spi.Backlog;
import outbox.spi.ConnectionProvider;
import outbox.spi.LeaseTable.RelayNode;
import outbox.spi.OutboxStore;

/** Asks the database how the tables of this application stand, at a cost that doesn't grow. */
record TableStates(
    Settings settings, OutboxFactory factory, ConnectionProvider connections, Clock clock) {

  /** What the one lease of single-active nodes is known by. */
  private static final String SINGLE_ACTIVE = "active";

  List<TableState> read(int countLimit) {
    return settings.tables().stream().map(table -> read(table, countLimit)).toList();
  }

  /** Those whose partitions are leased, because one of several nodes delivers each. */
  boolean areLeased() {
    return settings.kind().needsOrderedTables();
  }

  private TableState read(TableName table, int countLimit) {
    OutboxStore store = factory.store(table);
    Backlog backlog = new BacklogReader(connections, store).read(countLimit);
    Duration ahead = Duration.between(clock.instant(), backlog.readAt());
    boolean isDelivered = settings.delivers(table);
    List<RelayNode> nodes = areLeased() && isDelivered ? nodes(store) : List.of();
    return new TableState(table.toString(), isDelivered, backlog, ahead, nodes);
  }

  private List<RelayNode> nodes(OutboxStore store) {
    try (Connection connection = connections.getConnection()) {
      return store.ordered().leases().nodes(connection, relay());
    } catch (SQLException e) {
      throw new OutboxException("could not list the nodes of the relay", e);
    }
  }

  private String relay() {
    String name = settings.properties().ordered().name();
    if (settings.kind() == Kind.SINGLE_ACTIVE) {
      return SINGLE_ACTIVE;
    }
    return name == null ? OrderedRelay.DEFAULT_NAME : name;
  }
}
