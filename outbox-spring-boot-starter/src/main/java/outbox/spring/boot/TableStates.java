package outbox.spring.boot;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import outbox.BacklogReader;
import outbox.OutboxException;
import outbox.internal.Transactions;
import outbox.jdbc.TableName;
import outbox.ordered.BlockedKeys;
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

  /**
   * All of them.
   *
   * @throws OutboxException if the database can't be asked about one
   */
  List<TableState> read(int countLimit) {
    return settings.tables().stream().map(table -> read(table, countLimit)).toList();
  }

  TableState read(TableName table, int countLimit) {
    OutboxStore store = factory.store(table);
    List<String> unknown = new ArrayList<>();
    Optional<Backlog> backlog =
        ask(
            store,
            "backlog",
            unknown,
            () -> new BacklogReader(connections, store).read(countLimit));
    Duration ahead =
        backlog.map(read -> Duration.between(clock.instant(), read.readAt())).orElse(Duration.ZERO);
    boolean isDelivered = settings.delivers(table);
    Optional<List<RelayNode>> nodes =
        isDelivered && settings.kind().needsOrderedTables()
            ? ask(store, "nodes of its LeaseTable", unknown, () -> nodes(store))
            : Optional.empty();
    return new TableState(table.toString(), isDelivered, backlog, ahead, nodes, unknown);
  }

  /** The aggregates that wait in a table, whether this process delivers from it or another does. */
  BlockedKeys blockedKeys(TableName table) {
    return new BlockedKeys(connections, factory.store(table), relay());
  }

  /** A store of the application's own need not implement what nobody but operators needs. */
  private static <T> Optional<T> ask(
      OutboxStore store, String operation, List<String> unknown, Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (UnsupportedOperationException e) {
      unknown.add(
          "The store does not implement %s. Override it in %s to have this shown and judged."
              .formatted(operation, store.getClass().getName()));
      return Optional.empty();
    }
  }

  private List<RelayNode> nodes(OutboxStore store) {
    try {
      return Transactions.onConnection(
          connections, connection -> store.ordered().leases().nodes(connection, relay()));
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
