package outbox;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.Require;
import outbox.ordered.OnDead;
import outbox.ordered.OrderedRelay;
import outbox.poller.OutboxPoller;
import outbox.registry.ListenerRegistry;
import outbox.spi.EventFilter;
import outbox.spi.NodeSession;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/** Builds one of several outboxes that share a table. */
public final class MultiNodeBuilder extends PollingBuilder<MultiNodeBuilder> {

  /** The name of the lease that the one node has. */
  private static final String ACTIVE = "active";

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

  private @Nullable String nodeId;
  private Duration lease = Duration.ofMinutes(1);
  private @Nullable String activeRelay;

  MultiNodeBuilder() {}

  /** What claims are signed with, at most 128 characters; default: a name that is unique. */
  public MultiNodeBuilder nodeId(String nodeId) {
    this.nodeId = Require.storableName("nodeId", nodeId, NodeSession.LONGEST_NODE_ID);
    return this;
  }

  /**
   * How long the events of a node that died stay with it; default one minute, at least a second. A
   * living node renews its leases for as long as it works on an event.
   */
  public MultiNodeBuilder lease(Duration lease) {
    Require.check(
        lease.compareTo(SHORTEST_LEASE) >= 0, "lease", "at least " + SHORTEST_LEASE, lease);
    this.lease = lease;
    return this;
  }

  /**
   * One node delivers, and the others stand by until it closes or its lease expires. Events are
   * then delivered from the database only; {@link #hotPath} and {@link #poller} have no effect and
   * are refused, and so is {@link #routableOnly}, because nobody else would take what it leaves.
   */
  public MultiNodeBuilder singleActive() {
    return singleActive(ACTIVE);
  }

  /** Likewise, one node of those that give the same name; what a {@link #filter} needs. */
  public MultiNodeBuilder singleActive(String name) {
    activeRelay = Require.storableName("name", name, NodeSession.LONGEST_RELAY);
    return this;
  }

  @Override
  Engine.RelayPlan relayPlan(
      ListenerRegistry routes, Function<OutboxStore, OutboxDispatcher> dispatchers) {
    if (activeRelay == null) {
      return super.relayPlan(routes, dispatchers);
    }
    if (!filter().equals(EventFilter.ALL) && activeRelay.equals(ACTIVE)) {
      throw new IllegalStateException(
          "a filter needs a name for those who have the same filter; call singleActive with one");
    }
    if (isPollingSetUp()) {
      throw new IllegalStateException(
          "hotPath and poller have no effect with singleActive; leave them out");
    }
    if (isRoutableOnly()) {
      throw new IllegalStateException(
          "routableOnly leaves events to nodes that deliver at the same time, and with singleActive"
              + " there are none; to have them wait for the next active node, call dispatcher(d ->"
              + " d.unroutable(UnroutablePolicy.LEAVE)) instead");
    }
    OrderedRelay.Builder relay =
        OrderedRelay.builder()
            .connectionProvider(connections())
            .outboxStore(store())
            .filter(filter())
            .metrics(metrics())
            .relay(activeRelay)
            .partitions(1)
            .keyed(false)
            .onDead(OnDead.SKIP)
            .batchSize(batchSize())
            .interval(interval())
            .lease(lease);
    return new OrderedPlan(nodeId == null ? relay : relay.nodeId(nodeId), dispatchers);
  }

  @Override
  @Nullable
  String coldBy() {
    return activeRelay == null ? super.coldBy() : "singleActive";
  }

  @Override
  MultiNodeBuilder self() {
    return this;
  }

  @Override
  UnaryOperator<OutboxPoller.Builder> claiming() {
    String owner = nodeId;
    Duration timeout = lease;
    return owner == null
        ? builder -> builder.claimLocking(timeout)
        : builder -> builder.claimLocking(owner, timeout);
  }
}
