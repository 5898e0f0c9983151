package outbox.ordered;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import outbox.internal.GuardedMetrics;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;
import outbox.internal.SqlErrors;
import outbox.internal.Transactions;
import outbox.spi.LeaseTable;
import outbox.spi.LeaseTable.RelayView;
import outbox.spi.MetricsExporter;
import outbox.spi.NodeSession;
import outbox.spi.OrderedStore;
import outbox.spi.PartitionLease;
import outbox.util.Nullable;

/**
 * This node among the nodes of its relay: keeps its session alive, takes its fair share of the
 * partitions, and gives up what is more, each partition after the last of its events has ended.
 *
 * <p>Used by one thread at a time.
 */
final class Membership {

  private static final Logger LOG = SafeLogger.of(OrderedRelay.class);

  private static final int RENEWALS_PER_LEASE = 5;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

  /** While partitions are on their way from node to node. */
  private static final Duration SHORT_PAUSE = Duration.ofMillis(200);

  private static final int MOST_ASKED = 500;
  private static final int MOST_JOINS = 5;

  private final OrderedSettings settings;
  private final OrderedStore store;
  private final LeaseTable leases;
  private final Lanes lanes;
  private final BlockReader blocks;
  private final Duration pause;
  private final RateLimitedLog failures = new RateLimitedLog(LOG);
  private final Set<Integer> leaving = new HashSet<>();
  private final MetricsExporter metrics;
  private Map<Integer, Long> epochs = Map.of();
  private volatile @Nullable Session session;
  private volatile boolean retires;

  Membership(OrderedSettings settings, Lanes lanes) {
    this.settings = settings;
    this.store = settings.store().ordered();
    this.leases = store.leases();
    this.lanes = lanes;
    this.blocks = new BlockReader(settings, lanes);
    this.metrics = GuardedMetrics.guard(settings.metrics());
    Duration part = settings.lease().dividedBy(RENEWALS_PER_LEASE);
    this.pause = part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
  }

  /**
   * Becomes one of the nodes.
   *
   * @throws IllegalStateException if the others divide the relay into another number of partitions
   */
  void join() throws SQLException {
    ask(
        connection -> {
          store.check(connection);
          return store;
        });
    for (int tries = 1; session == null; tries++) {
      try {
        session = ask(this::join);
      } catch (SQLException | RuntimeException e) {
        if (tries == MOST_JOINS || !SqlErrors.isPassing(e)) {
          throw e; // else another node joined at the same moment
        }
      }
    }
  }

  /** Renews, takes and gives up; returns when to do so again. */
  Duration run() {
    try {
      long start = System.nanoTime();
      Session current = renew();
      RelayView view = tell(connection -> leases.view(connection, settings.relay()));
      Set<Integer> held = ownHeld(current, view);
      int share = retires ? 0 : shareOf(current, view);
      giveUp(current, held, share, start);
      epochs = epochs(view, held);
      boolean isWaiting = take(current, view, share - held.size(), start);
      report();
      askOperators();
      clearLeftovers();
      return isWaiting || !leaving.isEmpty() ? min(SHORT_PAUSE, pause) : pause;
    } catch (SQLException | RuntimeException e) {
      report();
      failures.warn(
          1,
          count ->
              "lease could not be renewed, which is tried again; if it expires, other nodes take over: count=%d cause=%s"
                  .formatted(count, e));
      return SHORT_PAUSE;
    }
  }

  /** From now on it takes nothing, and gives up each partition that is drained. */
  void retire() {
    retires = true;
  }

  /** Ends the session, so that others take over at once. */
  void leave() {
    Session current = session;
    epochs = Map.of();
    report();
    if (current == null || current.isEnded()) {
      return;
    }
    lanes.disownAll();
    if (!lanes.isDrained()) {
      LOG.log(
          Level.WARNING,
          "events are still being delivered, so their partitions are left to expire: node={0}",
          settings.nodeId());
      return;
    }
    try {
      ask(
          connection -> {
            leases.leave(connection, current.node());
            return this;
          });
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.WARNING, "partitions could not be given up and are left to expire", e);
    }
    current.end();
  }

  private Session join(Connection connection) {
    NodeSession node = settings.newSession(UUID.randomUUID().toString());
    long start = System.nanoTime();
    leases.join(connection, node);
    return new Session(node, start);
  }

  /** A session that others have ended is followed by a new one. */
  private Session renew() throws SQLException {
    Session current = session;
    if (current != null && !current.isEnded()) {
      long start = System.nanoTime();
      if (tell(connection -> leases.renew(connection, current.node()))) {
        current.renewed(start);
        return current;
      }
      current.end();
    }
    LOG.log(
        Level.WARNING,
        "other nodes took over, because the lease was not renewed in time; see whether this process"
            + " or its database stood still: node={0}",
        settings.nodeId());
    metrics.incrementLostLeases();
    lanes.disownAll();
    leaving.clear();
    epochs = Map.of();
    Session next = ask(this::join);
    session = next;
    return next;
  }

  /**
   * What is this node's by the table is so here, too, though it may not have heard of it; but not
   * before it knows what is blocked there.
   */
  private Set<Integer> ownHeld(Session current, RelayView view) throws SQLException {
    Set<Integer> owned = lanes.owned();
    List<PartitionLease> held =
        view.partitions().stream()
            .filter(lease -> current.node().id().equals(lease.sessionId()))
            .toList();
    List<PartitionLease> unheard =
        held.stream()
            .filter(lease -> !owned.contains(lease.partition()))
            .filter(lease -> !leaving.contains(lease.partition()))
            .toList();
    if (unheard.isEmpty()) {
      blocks.readIfDue();
    } else {
      blocks.read();
    }
    unheard.forEach(lease -> lanes.own(current, lease.partition(), lease.epoch(), true));
    return held.stream()
        .map(PartitionLease::partition)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Map<Integer, Long> epochs(RelayView view, Set<Integer> held) {
    Map<Integer, Long> epochs = new HashMap<>();
    view.partitions().stream()
        .filter(lease -> held.contains(lease.partition()))
        .forEach(lease -> epochs.put(lease.partition(), lease.epoch()));
    return epochs;
  }

  /** What this node holds, which is nothing once others may take over. */
  private void report() {
    Session current = session;
    boolean isAlive = current != null && current.isAlive();
    Map<Integer, Long> owned = isAlive ? Map.copyOf(epochs) : Map.of();
    metrics.recordLeader(!owned.isEmpty());
    metrics.recordPartitions(settings.lanes().partitions(), owned);
  }

  /** Where it doesn't come out even, those that have more keep one more: nothing moves for that. */
  private int shareOf(Session current, RelayView view) {
    Map<String, Long> held =
        view.partitions().stream()
            .filter(lease -> !lease.isFree())
            .collect(groupingBy(lease -> String.valueOf(lease.sessionId()), counting()));
    List<String> nodes =
        view.sessionIds().stream()
            .sorted(
                Comparator.comparing((String id) -> held.getOrDefault(id, 0L))
                    .reversed()
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    int place = Math.max(0, nodes.indexOf(current.node().id()));
    int count = Math.max(1, nodes.size());
    int all = settings.lanes().partitions();
    return all / count + (place < all % count ? 1 : 0);
  }

  private void giveUp(Session current, Set<Integer> held, int share, long start)
      throws SQLException {
    int surplus = held.size() - leaving.size() - share;
    for (int partition : held) {
      if (surplus > 0 && leaving.add(partition)) {
        lanes.disown(partition);
        surplus--;
      }
    }
    for (int partition : Set.copyOf(leaving)) {
      if (lanes.isDrained(partition) && !isTimeToRenew(start)) {
        tell(connection -> leases.release(connection, current.node(), partition));
        leaving.remove(partition);
        held.remove(partition);
      }
    }
  }

  /**
   * True if there are more to come. A partition is ours once that is committed, and what its last
   * owner blocked until then is known.
   */
  private boolean take(Session current, RelayView view, int missing, long start)
      throws SQLException {
    List<Integer> wanted = wanted(current, view, Math.max(0, missing));
    List<PartitionLease> gained =
        wanted.isEmpty() || isTimeToRenew(start)
            ? List.of()
            : ask(connection -> leases.acquireAll(connection, current.node(), wanted));
    if (!gained.isEmpty()) {
      blocks.read();
      gained.forEach(
          lease -> lanes.own(current, lease.partition(), lease.epoch(), lease.takenOver()));
      gained.forEach(lease -> epochs.put(lease.partition(), lease.epoch()));
      LOG.log(
          Level.INFO,
          "partitions gained: node={0} count={1} of={2}",
          settings.nodeId(),
          gained.size(),
          settings.lanes().partitions());
    }
    return gained.size() < missing;
  }

  /** Nodes that start together begin at different places, so that each gets its share at once. */
  private static List<Integer> wanted(Session current, RelayView view, int missing) {
    List<Integer> free =
        view.partitions().stream()
            .filter(PartitionLease::isFree)
            .map(PartitionLease::partition)
            .collect(Collectors.toCollection(ArrayList::new));
    int place = Math.max(0, view.sessionIds().indexOf(current.node().id()));
    Collections.rotate(free, -place * missing);
    return free.subList(0, Math.min(missing, free.size()));
  }

  /** Far from the database what is to be done may outlast a lease. */
  private boolean isTimeToRenew(long start) {
    return System.nanoTime() - start > settings.lease().toNanos() / 2;
  }

  /** What operators have decided about events that wait. */
  private void askOperators() throws SQLException {
    List<String> waiting = lanes.waitingForLong(MOST_ASKED);
    if (!waiting.isEmpty()) {
      lanes.decided(
          Set.copyOf(waiting),
          ask(connection -> store.heads(connection, settings.relay(), waiting)));
    }
  }

  /** One node is enough for that: the one that has the first partition. */
  private void clearLeftovers() {
    if (lanes.owned().contains(0)) {
      blocks.clearLeftovers();
    }
  }

  /** Committed when it returns. */
  private <T> T ask(Transactions.Work<T> question) throws SQLException {
    return Transactions.inTransaction(settings.connections(), question);
  }

  /**
   * Statements that the database commits by themselves, if connections are made so: should this
   * node be cut off at this moment, no lock stays behind that others wait for.
   */
  private <T> T tell(Transactions.Work<T> statement) throws SQLException {
    return Transactions.onConnection(settings.connections(), statement);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
