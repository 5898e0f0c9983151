package outbox.spring.boot;

import java.time.Duration;
import java.util.List;
import outbox.spi.Backlog;
import outbox.spi.LeaseTable.RelayNode;

/** A table as the endpoint shows it; counts stop at the endpoint's limit. */
record ShownTable(
    String table,
    boolean delivered,
    int pending,
    int retrying,
    int locked,
    int dead,
    Duration oldestAge,
    Duration clockDifference,
    List<Node> nodes) {

  /** One that leases partitions of the table. */
  record Node(String nodeId, int partitions, boolean expired) {

    static Node of(RelayNode node) {
      return new Node(node.nodeId(), node.partitions(), node.isExpired());
    }
  }

  static ShownTable of(TableState state) {
    Backlog backlog = state.backlog();
    return new ShownTable(
        state.table(),
        state.isDelivered(),
        backlog.pending(),
        backlog.retrying(),
        backlog.locked(),
        backlog.dead(),
        backlog.oldestAge(),
        state.clockDifference(),
        state.nodes().stream().map(Node::of).toList());
  }
}
