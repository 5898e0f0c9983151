package outbox.ordered;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import outbox.internal.RateLimitedLog;
import outbox.internal.Transactions;
import outbox.spi.LeaseTable;
import outbox.spi.LeaseTable.RelayView;
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

  private static final Logger LOG = System.getLogger(OrderedRelay.class.getName());

  private static final int RENEWALS_PER_LEASE = 5;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

  /** While partitions are on their way from node to node. */
  private static final Duration SHORT_PAUSE = Duration.ofMillis(200);

  private static final int MOST_ASKED = 500;

  private final OrderedSettings settings;
  private final OrderedStore store;
  private final LeaseTable leases;
  private final Lanes lanes;
  private final Duration pause;
  private final RateLimitedLog failures = new RateLimitedLog(LOG);
  private final Set<Integer> leaving = new HashSet<>();
  private volatile @Nullable Session session;

  Membership(OrderedSettings settings, Lanes lanes) {
    this.settings = settings;
    this.store = settings.store().ordered();
    this.leases = store.leases();
    this.lanes = lanes;
    Duration part = settings.lease().dividedBy(RENEWALS_PER_LEASE);
    this.pause = part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
  }

  /**
   * Becomes one of the nodes.
   *
   * @throws IllegalStateException if the others divide the relay into another number of partitions
   */
  void join() throws SQLException {
    Transactions.onConnection(
        settings.connections(),
        connection -> {
          store.check(connection);
          join(connection);
          return this;
        });
  }

  /** Renews, takes and gives up; returns when to do so again. */
  Duration run() {
    try {
      return Transactions.onConnection(settings.connections(), this::run);
    } catch (SQLException | RuntimeException e) {
      failures.warn(
          1,
          count ->
              "lease could not be renewed, which is tried again; if it expires, other nodes take over: count=%d cause=%s"
                  .formatted(count, e));
      return SHORT_PAUSE;
    }
  }

  /** Ends the session, so that others take over at once. */
  void leave() {
    Session current = session;
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
      Transactions.onConnection(
          settings.connections(),
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
    leaving.clear();
    Session joined = new Session(node, start);
    session = joined;
    return joined;
  }

  private Duration run(Connection connection) {
    Session current = renew(connection);
    RelayView view = leases.view(connection, settings.relay());
    Set<Integer> held = heldBy(current, view);
    int share = shareOf(current, view);
    giveUp(connection, current, held, share);
    boolean isWaiting = take(connection, current, view, held, share);
    askOperators(connection);
    return isWaiting || !leaving.isEmpty() ? min(SHORT_PAUSE, pause) : pause;
  }

  /** A session that others have ended is followed by a new one. */
  private Session renew(Connection connection) {
    Session current = session;
    if (current != null && !current.isEnded()) {
      long start = System.nanoTime();
      if (leases.renew(connection, current.node())) {
        current.renewed(start);
        return current;
      }
      current.end();
    }
    lanes.disownAll();
    if (current != null) {
      LOG.log(
          Level.WARNING,
          "other nodes took over, because the lease was not renewed in time; see whether this"
              + " process or its database stood still: node={0}",
          settings.nodeId());
    }
    return join(connection);
  }

  private static Set<Integer> heldBy(Session current, RelayView view) {
    Set<Integer> held = new HashSet<>();
    for (PartitionLease lease : view.partitions()) {
      if (current.node().id().equals(lease.sessionId())) {
        held.add(lease.partition());
      }
    }
    return held;
  }

  /** The first nodes by their ids have one more where it doesn't come out even. */
  private int shareOf(Session current, RelayView view) {
    List<String> nodes = view.sessionIds();
    int place = Math.max(0, nodes.indexOf(current.node().id()));
    int count = Math.max(1, nodes.size());
    int all = settings.lanes().partitions();
    return all / count + (place < all % count ? 1 : 0);
  }

  private void giveUp(Connection connection, Session current, Set<Integer> held, int share) {
    int surplus = held.size() - leaving.size() - share;
    for (int partition : held) {
      if (surplus > 0 && leaving.add(partition)) {
        lanes.disown(partition);
        surplus--;
      }
    }
    for (int partition : Set.copyOf(leaving)) {
      if (lanes.isDrained(partition)) {
        leases.release(connection, current.node(), partition);
        leaving.remove(partition);
        held.remove(partition);
      }
    }
  }

  /** True if there are more to come. */
  private boolean take(
      Connection connection, Session current, RelayView view, Set<Integer> held, int share) {
    int missing = share - held.size();
    if (missing <= 0) {
      return false;
    }
    List<PartitionLease> gained = new ArrayList<>();
    for (PartitionLease free : view.partitions()) {
      if (free.isFree() && gained.size() < missing) {
        PartitionLease lease = leases.acquire(connection, current.node(), free.partition());
        if (lease != null) {
          gained.add(lease);
        }
      }
    }
    if (!gained.isEmpty()) {
      readBlocks(connection);
      gained.forEach(
          lease -> lanes.own(current, lease.partition(), lease.epoch(), lease.takenOver()));
      LOG.log(
          Level.INFO,
          "partitions gained: node={0} count={1} of={2}",
          settings.nodeId(),
          gained.size(),
          settings.lanes().partitions());
    }
    return gained.size() < missing;
  }

  /** What operators have decided about events that hold up others. */
  private void askOperators(Connection connection) {
    readBlocks(connection);
    List<String> waiting = lanes.waitingForLong(MOST_ASKED);
    if (!waiting.isEmpty()) {
      lanes.decided(waiting, store.heads(connection, settings.relay(), waiting));
    }
  }

  private void readBlocks(Connection connection) {
    if (settings.lanes().onDead() == OnDead.SKIP) {
      return;
    }
    long start = System.nanoTime();
    List<OrderedStore.Block> blocks = store.blocks(connection, settings.relay());
    for (String eventId : lanes.blocked(blocks, start)) {
      store.unblock(connection, settings.relay(), eventId);
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
