package outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.Require;
import outbox.ordered.BlockedKeys;
import outbox.ordered.OnDead;
import outbox.ordered.OrderedRelay;
import outbox.registry.ListenerRegistry;
import outbox.spi.EventFilter;
import outbox.spi.NodeSession;
import outbox.spi.OutboxStore;
import outbox.util.JsonCodec;
import outbox.util.Nullable;

/**
 * Builds one of any number of outboxes that share a table and deliver the events of each aggregate
 * in order.
 */
public final class OrderedBuilder extends RelayBuilder<OrderedBuilder> {

  private final List<Consumer<OrderedRelay.Builder>> settings = new ArrayList<>();
  private @Nullable String name;

  OrderedBuilder() {}

  /** Into how many parts the nodes divide their work, a power of two up to 1024; default 64. */
  public OrderedBuilder partitions(int partitions) {
    return set(relay -> relay.partitions(partitions));
  }

  /** What becomes of events behind a dead one; default: they wait for an operator. */
  public OrderedBuilder onDead(OnDead onDead) {
    return set(relay -> relay.onDead(onDead));
  }

  /**
   * Which outboxes share their work: those of the same name. Outboxes with different filters need
   * different names.
   */
  public OrderedBuilder relay(String name) {
    this.name = Require.storableName("relay", name, NodeSession.LONGEST_RELAY);
    return set(relay -> relay.relay(name));
  }

  /** What people know this node by, at most 128 characters; default: a name that is unique. */
  public OrderedBuilder nodeId(String nodeId) {
    Require.storableName("nodeId", nodeId, NodeSession.LONGEST_NODE_ID);
    return set(relay -> relay.nodeId(nodeId));
  }

  /**
   * How long the partitions of a node that died stay with it; default 15 seconds. A living node
   * renews its lease for as long as it runs.
   */
  public OrderedBuilder lease(Duration lease) {
    return set(relay -> relay.lease(lease));
  }

  /** The most events read at once; default 1000. */
  public OrderedBuilder batchSize(int batchSize) {
    return set(relay -> relay.batchSize(batchSize));
  }

  /** How often to look into the table when nothing else happens; default one second. */
  public OrderedBuilder interval(Duration interval) {
    return set(relay -> relay.interval(interval));
  }

  /** How often to look for what became pending again by hand; default 30 seconds. */
  public OrderedBuilder sweepInterval(Duration sweepInterval) {
    return set(relay -> relay.sweepInterval(sweepInterval));
  }

  /** What reads the headers; default: {@link JsonCodec#getDefault()}. */
  public OrderedBuilder jsonCodec(JsonCodec jsonCodec) {
    return set(relay -> relay.jsonCodec(jsonCodec));
  }

  /** Refuses at once what makes no sense by itself. */
  private OrderedBuilder set(Consumer<OrderedRelay.Builder> setting) {
    setting.accept(OrderedRelay.builder());
    settings.add(setting);
    return this;
  }

  @Override
  String coldBy() {
    return "ordered()";
  }

  @Override
  OrderedBuilder self() {
    return this;
  }

  @Override
  Engine.RelayPlan relayPlan(
      ListenerRegistry routes, Function<OutboxStore, OutboxDispatcher> dispatchers) {
    if (!filter().equals(EventFilter.ALL) && name == null) {
      throw new IllegalStateException(
          "a filter needs a name for those who have the same filter, because they share partitions;"
              + " call relay");
    }
    OrderedRelay.Builder relay = OrderedRelay.builder();
    settings.forEach(setting -> setting.accept(relay));
    return new OrderedPlan(
        relay
            .connectionProvider(connections())
            .outboxStore(store())
            .filter(filter())
            .metrics(metrics()),
        dispatchers);
  }

  @Override
  BlockedKeys blockedKeys() {
    String relayName = name == null ? OrderedRelay.DEFAULT_NAME : name;
    return new BlockedKeys(connections(), store(), relayName);
  }
}
