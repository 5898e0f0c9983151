package outbox;

import java.time.Duration;
import java.util.function.Function;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.Require;
import outbox.ordered.OnDead;
import outbox.ordered.OrderedRelay;
import outbox.poller.OutboxPoller;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/** Builds one of several outboxes that share a table. */
public final class MultiNodeBuilder extends PollingBuilder<MultiNodeBuilder> {

  /** The name of the lease that the one node has. */
  private static final String ACTIVE = "active";

  private @Nullable String nodeId;
  private Duration lease = Duration.ofMinutes(1);
  private boolean singleActive;

  MultiNodeBuilder() {}

  /** What claims are signed with, at most 128 characters; default: a name that is unique. */
  public MultiNodeBuilder nodeId(String nodeId) {
    this.nodeId = Require.notEmpty("nodeId", nodeId);
    return this;
  }

  /**
   * How long the events of a node that died stay with it; default one minute. A living node renews
   * its leases for as long as it works on an event.
   */
  public MultiNodeBuilder lease(Duration lease) {
    this.lease = Require.positive("lease", lease);
    return this;
  }

  /**
   * One node delivers, and the others stand by until it closes or its lease expires. Events are
   * then delivered from the database only; {@link #hotPath} and {@link #poller} have no effect and
   * are refused.
   */
  public MultiNodeBuilder singleActive() {
    singleActive = true;
    return this;
  }

  @Override
  Engine.RelayPlan relayPlan(Function<OutboxStore, OutboxDispatcher> dispatchers) {
    if (!singleActive) {
      return super.relayPlan(dispatchers);
    }
    if (isPollingSetUp()) {
      throw new IllegalStateException(
          "hotPath and poller have no effect with singleActive; leave them out");
    }
    OrderedRelay.Builder relay =
        OrderedRelay.builder()
            .connectionProvider(connections())
            .outboxStore(store())
            .filter(filter())
            .metrics(metrics())
            .relay(ACTIVE)
            .partitions(1)
            .keyed(false)
            .onDead(OnDead.SKIP)
            .lease(lease);
    return new OrderedPlan(nodeId == null ? relay : relay.nodeId(nodeId), dispatchers);
  }

  @Override
  MultiNodeBuilder self() {
    return this;
  }

  @Override
  OutboxPoller.Builder claiming(OutboxPoller.Builder builder) {
    return nodeId == null ? builder.claimLocking(lease) : builder.claimLocking(nodeId, lease);
  }
}
