package outbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.Require;
import outbox.internal.SafeLogger;
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

  private static final Logger LOG = SafeLogger.of(Outbox.class);
  private static final int QUEUE = 2000;

  private final DefaultListenerRegistry listeners = new DefaultListenerRegistry();
  private @Nullable ListenerRegistry registry;
  private EventFilter filter = EventFilter.ALL;
  private boolean purging = true;
  private boolean hasListener;
  private UnaryOperator<OutboxDispatcher.Builder> dispatcher = UnaryOperator.identity();
  private @Nullable UnaryOperator<OutboxPurgeScheduler.Builder> purge;

  RelayBuilder() {}

  /** The listener of an event type; for aggregate types that have one of their own, that one. */
  public B listener(String eventType, EventListener listener) {
    listeners.register(eventType, listener);
    hasListener = true;
    return self();
  }

  /** The listener of an event type of one aggregate type. */
  public B listener(String aggregateType, String eventType, EventListener listener) {
    listeners.register(aggregateType, eventType, listener);
    hasListener = true;
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
        relayPlan(store -> dispatcher(store, connections(), routes)),
        purgePlan(store(), connections()),
        notifications());
  }

  /** How this kind of outbox finds the events that a dispatcher delivers. */
  abstract Engine.RelayPlan relayPlan(Function<OutboxStore, OutboxDispatcher> dispatchers);

  /** Adds what this kind of outbox has other defaults for than a dispatcher. */
  OutboxDispatcher.Builder delivering(OutboxDispatcher.Builder builder) {
    return builder;
  }

  /** The call that makes everything come from the database; null if there is a hot path. */
  abstract @Nullable String coldBy();

  final EventFilter filter() {
    return filter;
  }

  private OutboxDispatcher dispatcher(
      OutboxStore store, ConnectionProvider connections, ListenerRegistry routes) {
    OutboxDispatcher.Builder builder =
        dispatcher.apply(
            delivering(OutboxDispatcher.builder())
                .connectionProvider(connections)
                .outboxStore(store)
                .listenerRegistry(routes)
                .metrics(metrics())
                .coldQueueCapacity(QUEUE));
    if (!builder.hasHotQueueCapacity()) {
      builder.hotQueueCapacity(QUEUE);
    } else if (coldBy() != null) {
      LOG.log(
          Level.WARNING,
          "hotQueueCapacity has no effect with {0}, where events come from the database only; leave"
              + " it out, or set coldQueueCapacity",
          coldBy());
    }
    return builder.build();
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
    return () -> {
      OutboxPurgeScheduler.Builder builder =
          OutboxPurgeScheduler.builder()
              .connectionProvider(connections)
              .purger(purger)
              .clock(store.clock());
      return (settings == null ? builder : settings.apply(builder)).build();
    };
  }

  final ListenerRegistry routes() {
    if (registry == null && !hasListener) {
      throw new IllegalStateException(
          "no listener is set, so every event would be unroutable; call listener or"
              + " listenerRegistry, or build Outbox.writerOnly()");
    }
    if (registry != null && hasListener) {
      throw new IllegalStateException(
          "both listener and listenerRegistry are set; register every listener in the registry");
    }
    return registry == null ? new AnyAggregateType(listeners) : registry;
  }
}
