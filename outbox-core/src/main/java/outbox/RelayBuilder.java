package outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.Require;
import outbox.purge.OutboxPurgeScheduler;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventFilter;
import outbox.spi.EventPurger;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Builds an outbox that delivers. What is set by {@link #dispatcher} and {@link #purge} reaches the
 * part it is meant for, after the defaults of an outbox: up to 2000 events in each queue.
 *
 * @param <B> the builder itself
 */
public abstract sealed class RelayBuilder<B extends RelayBuilder<B>> extends OutboxBuilder<B>
    permits PollingBuilder, OrderedBuilder {

  private final DefaultListenerRegistry listeners = new DefaultListenerRegistry();
  private final List<Consumer<DefaultListenerRegistry>> registrations = new ArrayList<>();
  private @Nullable ListenerRegistry registry;
  private EventFilter filter = EventFilter.ALL;
  private boolean purging = true;
  private UnaryOperator<OutboxDispatcher.Builder> dispatcher = UnaryOperator.identity();
  private @Nullable UnaryOperator<OutboxPurgeScheduler.Builder> purge;

  RelayBuilder() {}

  /** The listener of an event type; for aggregate types that have one of their own, that one. */
  public B listener(String eventType, EventListener listener) {
    return register(registry -> registry.register(eventType, listener));
  }

  /** The listener of an event type of one aggregate type. */
  public B listener(String aggregateType, String eventType, EventListener listener) {
    return register(registry -> registry.register(aggregateType, eventType, listener));
  }

  /** Refuses a second listener at once. */
  private B register(Consumer<DefaultListenerRegistry> registration) {
    registration.accept(listeners);
    registrations.add(registration);
    return self();
  }

  /** Finds listeners by itself, instead of {@link #listener}. */
  public B listenerRegistry(ListenerRegistry registry) {
    this.registry = Require.given("listenerRegistry", registry);
    return self();
  }

  /** Delivers only these events and leaves the rest to other outboxes; default: all. */
  public B filter(EventFilter filter) {
    this.filter = Require.given("filter", filter);
    return self();
  }

  /** Never deletes events that ended; default: they are purged if there is a purger. */
  public B keepEnded() {
    purging = false;
    return self();
  }

  /** More settings of the dispatcher, in addition to those given before. */
  public B dispatcher(UnaryOperator<OutboxDispatcher.Builder> settings) {
    dispatcher = both(dispatcher, settings);
    return self();
  }

  /** More settings of the purge, in addition to those given before. */
  public B purge(UnaryOperator<OutboxPurgeScheduler.Builder> settings) {
    purge = purge == null ? Require.given("settings", settings) : both(purge, settings);
    return self();
  }

  static <T> UnaryOperator<T> both(UnaryOperator<T> before, UnaryOperator<T> settings) {
    Require.given("settings", settings);
    return builder -> settings.apply(before.apply(builder));
  }

  @Override
  final Engine.Plan plan() {
    ListenerRegistry routes = routes();
    return new Engine.Plan(
        relayPlan(
            routes,
            new DispatcherPlan(
                connections(), routes, metrics(), both(delivering(), dispatcher), coldBy())),
        purgePlan(store(), connections()),
        notifications());
  }

  /** How this kind of outbox finds the events that a dispatcher delivers. */
  abstract Engine.RelayPlan relayPlan(
      ListenerRegistry routes, Function<OutboxStore, OutboxDispatcher> dispatchers);

  /** What this kind of outbox has other defaults for than a dispatcher. */
  UnaryOperator<OutboxDispatcher.Builder> delivering() {
    return UnaryOperator.identity();
  }

  /** The call that makes everything come from the database; null if there is a hot path. */
  abstract @Nullable String coldBy();

  final EventFilter filter() {
    return filter;
  }

  private @Nullable Supplier<OutboxPurgeScheduler> purgePlan(
      OutboxStore store, ConnectionProvider connections) {
    EventPurger purger = purger();
    UnaryOperator<OutboxPurgeScheduler.Builder> settings = purge;
    if (purger == null || !purging) {
      if (settings != null) {
        throw new IllegalStateException(
            "purge has settings but nothing would be purged; set a purger and don't call"
                + " keepEnded");
      }
      return null;
    }
    OutboxPurgeScheduler.Builder builder =
        OutboxPurgeScheduler.builder()
            .connectionProvider(connections)
            .purger(purger)
            .clock(store.clock());
    OutboxPurgeScheduler.Builder scheduler = settings == null ? builder : settings.apply(builder);
    if (scheduler.isAppendOnly()) {
      throw new IllegalStateException(
          "appendOnlyRetention is set, so events would be deleted before this outbox delivers them;"
              + " leave it to Outbox.writerOnly() on a table that nothing is delivered from");
    }
    return scheduler::build;
  }

  private ListenerRegistry routes() {
    boolean hasListener = !registrations.isEmpty();
    if (registry == null && !hasListener) {
      throw new IllegalStateException(
          "no listener is set, so every event would be unroutable; call listener or"
              + " listenerRegistry, or build Outbox.writerOnly()");
    }
    if (registry != null && hasListener) {
      throw new IllegalStateException(
          "both listener and listenerRegistry are set; register every listener in the registry");
    }
    return registry == null ? new AnyAggregateType(registered()) : registry;
  }

  /** Those of now: what is registered later is for outboxes that are built later. */
  private ListenerRegistry registered() {
    DefaultListenerRegistry copy = new DefaultListenerRegistry();
    registrations.forEach(registration -> registration.accept(copy));
    return copy;
  }
}
