package outbox;

import java.util.function.Consumer;
import java.util.function.Function;
import outbox.dispatch.OutboxDispatcher;
import outbox.ordered.OrderedRelay;
import outbox.spi.OutboxStore;

/** Makes a relay that leases partitions, and the dispatcher that it feeds. */
final class OrderedPlan implements Engine.RelayPlan {

  private final OrderedRelay.Builder settings;
  private final Function<OutboxStore, OutboxDispatcher> dispatchers;

  /** Says now, and not at the start, what is wrong with the settings. */
  OrderedPlan(OrderedRelay.Builder settings, Function<OutboxStore, OutboxDispatcher> dispatchers) {
    settings.build();
    this.settings = settings;
    this.dispatchers = dispatchers;
  }

  /** Reading ends first, then delivery, and then the partitions are given up. */
  @Override
  public Engine.Relay make(Consumer<AutoCloseable> parts) {
    OrderedRelay relay = settings.build();
    parts.accept(relay::leave);
    OutboxDispatcher delivering = dispatchers.apply(relay.store());
    parts.accept(delivering);
    parts.accept(relay);
    return new Engine.Relay(
        delivering,
        new WakingHook(event -> true, relay::wake, due -> {}),
        event -> true,
        () -> relay.start(delivering),
        relay::wake);
  }
}
