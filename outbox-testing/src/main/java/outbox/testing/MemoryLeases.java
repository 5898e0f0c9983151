package outbox.testing;

import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.spi.LeaseTable;
import outbox.spi.NodeSession;
import outbox.spi.PartitionLease;
import outbox.testing.MemoryLocks.Mode;
import outbox.testing.MemoryTable.Transaction;

/**
 * Leases in memory, with the locks of those in a database: a session's fence first, then its relay.
 * Guarded by the monitor of the table, whose transactions it takes part in.
 */
final class MemoryLeases implements LeaseTable {

  private final MemoryTable table;
  private final Clock clock;
  private final Map<String, Relay> relays = new HashMap<>();

  MemoryLeases(MemoryTable table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  private record Fence(String sessionId) {}

  private record RelayOf(String name) {}

  private record Node(NodeSession session, Instant expiresAt) {}

  /** Never changed, so that the one before can be put back. */
  private record Relay(String name, SortedMap<String, Node> nodes, List<PartitionLease> leases) {

    Relay with(Node node) {
      SortedMap<String, Node> all = new TreeMap<>(nodes);
      all.put(node.session().id(), node);
      return new Relay(name, all, leases);
    }

    Relay without(String sessionId, boolean takenOver) {
      SortedMap<String, Node> others = new TreeMap<>(nodes);
      others.remove(sessionId);
      return new Relay(
          name,
          others,
          leases.stream()
              .map(lease -> sessionId.equals(lease.sessionId()) ? free(lease, takenOver) : lease)
              .toList());
    }

    Relay with(PartitionLease changed) {
      List<PartitionLease> all = new ArrayList<>(leases);
      all.set(changed.partition(), changed);
      return new Relay(name, nodes, List.copyOf(all));
    }

    /** All new partitions have the highest epoch, and the mark of one that was taken over. */
    Relay divided(int partitions) {
      if (leases.size() == partitions) {
        return this;
      }
      long epoch = leases.stream().mapToLong(PartitionLease::epoch).max().orElse(0);
      boolean takenOver = leases.stream().anyMatch(PartitionLease::takenOver);
      List<PartitionLease> all = new ArrayList<>();
      for (int i = 0; i < partitions; i++) {
        all.add(new PartitionLease(i, null, epoch, takenOver));
      }
      return new Relay(name, nodes, List.copyOf(all));
    }

    int owned(String sessionId) {
      return (int) leases.stream().filter(lease -> sessionId.equals(lease.sessionId())).count();
    }

    private static PartitionLease free(PartitionLease lease, boolean takenOver) {
      return new PartitionLease(lease.partition(), null, lease.epoch(), takenOver);
    }
  }

  @Override
  public void join(@Nullable Connection connection, NodeSession session) {
    synchronized (table) {
      Transaction tx = tx(connection);
      endExpired(tx, session.relay());
      change(
          tx,
          session.relay(),
          relay -> {
            requireSamePartitions(session, relay);
            Relay divided = relay.nodes().isEmpty() ? relay.divided(session.partitions()) : relay;
            return divided.with(renewed(session));
          });
    }
  }

  @Override
  public boolean renew(@Nullable Connection connection, NodeSession session) {
    synchronized (table) {
      return change(
          tx(connection),
          session.relay(),
          relay -> lives(relay, session),
          relay -> relay.with(renewed(session)));
    }
  }

  @Override
  public RelayView view(@Nullable Connection connection, String relay) {
    synchronized (table) {
      Transaction tx = tx(connection);
      endExpired(tx, relay);
      Relay now = relay(tx, relay);
      return new RelayView(List.copyOf(now.nodes().keySet()), now.leases());
    }
  }

  @Override
  public List<RelayNode> nodes(@Nullable Connection connection, String relay) {
    synchronized (table) {
      Relay now = relay(tx(connection), relay);
      return now.nodes().values().stream()
          .map(
              node ->
                  new RelayNode(
                      node.session().nodeId(), now.owned(node.session().id()), isExpired(node)))
          .sorted(Comparator.comparing(RelayNode::nodeId))
          .toList();
    }
  }

  @Override
  public @Nullable PartitionLease acquire(
      @Nullable Connection connection, NodeSession session, int partition) {
    synchronized (table) {
      Transaction tx = tx(connection);
      table.lock(tx, new Fence(session.id()), Mode.SHARED);
      List<PartitionLease> acquired = new ArrayList<>();
      change(
          tx,
          session.relay(),
          relay -> {
            if (!lives(relay, session) || !isFree(relay, partition)) {
              return relay;
            }
            PartitionLease free = relay.leases().get(partition);
            long epoch = free.epoch() + 1;
            acquired.add(new PartitionLease(partition, session.id(), epoch, free.takenOver()));
            return relay.with(new PartitionLease(partition, session.id(), epoch, false));
          });
      return acquired.isEmpty() ? null : acquired.get(0);
    }
  }

  @Override
  public boolean release(@Nullable Connection connection, NodeSession session, int partition) {
    synchronized (table) {
      return change(
          tx(connection),
          session.relay(),
          relay -> isOwner(relay, session, partition),
          relay -> relay.with(Relay.free(relay.leases().get(partition), false)));
    }
  }

  @Override
  public void leave(@Nullable Connection connection, NodeSession session) {
    synchronized (table) {
      Transaction tx = tx(connection);
      table.lock(tx, new Fence(session.id()), Mode.EXCLUSIVE);
      change(tx, session.relay(), relay -> relay.without(session.id(), false));
    }
  }

  @Override
  public boolean holds(@Nullable Connection connection, NodeSession session) {
    synchronized (table) {
      Transaction tx = tx(connection);
      table.lock(tx, new Fence(session.id()), Mode.SHARED);
      return lives(relay(tx, session.relay()), session);
    }
  }

  private void endExpired(@Nullable Transaction tx, String name) {
    for (Node node : relay(tx, name).nodes().values()) {
      if (isExpired(node)) {
        String sessionId = node.session().id();
        if (table.tryLock(tx, new Fence(sessionId), Mode.EXCLUSIVE)) {
          change(tx, name, relay -> ended(relay, sessionId));
        }
      }
    }
  }

  /** It may have been renewed while its fence was locked. */
  private Relay ended(Relay relay, String sessionId) {
    Node node = relay.nodes().get(sessionId);
    return node != null && isExpired(node) ? relay.without(sessionId, true) : relay;
  }

  private boolean isExpired(Node node) {
    return !node.expiresAt().isAfter(clock.instant());
  }

  private Node renewed(NodeSession session) {
    return new Node(session, clock.instant().plus(session.lease()));
  }

  private static boolean isFree(Relay relay, int partition) {
    return partition < relay.leases().size() && relay.leases().get(partition).isFree();
  }

  private static boolean isOwner(Relay relay, NodeSession session, int partition) {
    return partition < relay.leases().size()
        && session.id().equals(relay.leases().get(partition).sessionId());
  }

  private static boolean lives(Relay relay, NodeSession session) {
    return relay.nodes().containsKey(session.id());
  }

  private static void requireSamePartitions(NodeSession session, Relay relay) {
    for (Node other : relay.nodes().values()) {
      if (other.session().partitions() != session.partitions()) {
        throw new IllegalStateException(
            "relay %s must have the same number of partitions on every node, got: %d on node %s, while node %s lives with %d"
                .formatted(
                    session.relay(),
                    session.partitions(),
                    session.nodeId(),
                    other.session().nodeId(),
                    other.session().partitions()));
      }
    }
  }

  private Relay relay(@Nullable Transaction tx, String name) {
    table.lock(tx, new RelayOf(name), Mode.READ);
    return Objects.requireNonNullElse(
        relays.get(name), new Relay(name, new TreeMap<>(), List.of()));
  }

  private void change(@Nullable Transaction tx, String name, UnaryOperator<Relay> change) {
    change(tx, name, relay -> true, change);
  }

  /** Says whether the condition held, without which nothing is changed. */
  private boolean change(
      @Nullable Transaction tx,
      String name,
      Predicate<Relay> condition,
      UnaryOperator<Relay> change) {
    table.lock(tx, new RelayOf(name), Mode.EXCLUSIVE);
    Relay before = relay(tx, name);
    if (!condition.test(before)) {
      return false;
    }
    relays.put(name, change.apply(before));
    table.onRollback(tx, () -> relays.put(name, before));
    return true;
  }

  private @Nullable Transaction tx(@Nullable Connection connection) {
    return MemoryConnection.transactionOf(connection, table);
  }
}
