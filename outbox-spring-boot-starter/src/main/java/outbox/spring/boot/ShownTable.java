package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import outbox.spi.Backlog;
import outbox.spi.LeaseTable.RelayNode;

/** A table as the endpoint shows it; counts stop at the endpoint's limit. */
final class ShownTable {

  /** One that leases partitions of the table. */
  record Node(String nodeId, int partitions, boolean expired) {

    static Node of(RelayNode node) {
      return new Node(node.nodeId(), node.partitions(), node.isExpired());
    }
  }

  private ShownTable() {}

  /** What is not known is left out, and said. */
  static Map<String, Object> of(TableState state) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("table", state.table());
    state.isDelivered().ifPresent(is -> shown.put("delivered", is));
    state.backlog().ifPresent(backlog -> shown.putAll(counts(backlog, state)));
    state.nodes().ifPresent(nodes -> shown.put("nodes", nodes.stream().map(Node::of).toList()));
    if (!state.unknown().isEmpty()) {
      shown.put("unknown", state.unknown());
    }
    return shown;
  }

  /** One that can't be read, which is no reason not to show the others. */
  static Map<String, Object> unreadable(WatchedTable table, RuntimeException failure) {
    Throwable cause = failure.getCause();
    String why = cause == null ? "" : ": " + cause.getMessage();
    return Map.of("table", table.name(), "error", failure.getMessage() + why);
  }

  private static Map<String, Object> counts(Backlog backlog, TableState state) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("pending", backlog.pending());
    counts.put("retrying", backlog.retrying());
    counts.put("locked", backlog.locked());
    counts.put("dead", backlog.dead());
    counts.put("oldestAge", backlog.oldestAge());
    counts.put("clockDifference", state.clockDifference());
    return counts;
  }
}
