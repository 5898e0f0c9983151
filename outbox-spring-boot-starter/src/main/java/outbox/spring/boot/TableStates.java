package outbox.spring.boot;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import outbox.OutboxException;
import outbox.spi.Backlog;
import outbox.spi.LeaseTable.RelayNode;
import outbox.spi.OutboxStore;

/** Asks the database how tables stand, at a cost that doesn't grow. */
record TableStates(Clock clock) {

  /**
   * @throws OutboxException if the database can't be asked
   */
  TableState read(WatchedTable table, int countLimit) {
    List<String> unknown = new ArrayList<>();
    Optional<Backlog> backlog =
        ask(table.store(), "backlog", unknown, () -> table.backlog().read(countLimit));
    Duration ahead =
        backlog.map(read -> Duration.between(clock.instant(), read.readAt())).orElse(Duration.ZERO);
    Optional<List<RelayNode>> nodes =
        table
            .relay()
            .flatMap(
                relay ->
                    ask(
                        table.store(),
                        "nodes of its LeaseTable",
                        unknown,
                        () -> table.nodes(relay)));
    return new TableState(table.name(), table.isDelivered(), backlog, ahead, nodes, unknown);
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
}
