package outbox;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.Require;
import outbox.poller.OutboxPoller;
import outbox.purge.OutboxPurgeScheduler;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventFilter;
import outbox.spi.EventPurger;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Builds an outbox that delivers. What is set by {@link #dispatcher}, {@link #poller} and {@link
 * #purge} reaches the part it is meant for, after the defaults of an outbox: up to 1000 events
 * fetched at a time, 2000 in each queue, a look into the table every second when nothing else
 * happens.
 *
 * @param <B> the builder itself
 */
public abstract sealed class RelayBuilder<B extends RelayBuilder<B>> extends OutboxBuilder<B>
    permits SingleNodeBuilder, MultiNodeBuilder {

  private static final int BATCH = 1000;
  private static final int QUEUE = 2000;
  private static final long INTERVAL_MS = 1000;

  private final DefaultListenerRegistry listeners = new DefaultListenerRegistry();
  private @Nullable ListenerRegistry registry;
  private MetricsExporter metrics = MetricsExporter.NOOP;
  private EventFilter filter = EventFilter.ALL;
  private boolean hotPath = true;
  private boolean purging = true;
  private boolean hasListener;
  private UnaryOperator<OutboxDispatcher.Builder> dispatcher = UnaryOperator.identity();
  private UnaryOperator<OutboxPoller.Builder> poller = UnaryOperator.identity();
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

  public B metrics(MetricsExporter metrics) {
    this.metrics = Require.given("metrics", metrics);
    return self();
  }

  /** Delivers only these events and leaves the rest to other outboxes; default: all. */
  public B filter(EventFilter filter) {
    this.filter = Require.given("filter", filter);
    return self();
  }

  /** Whether events go from their commit straight to the queue; default: they do. */
  public B hotPath(boolean hotPath) {
    this.hotPath = hotPath;
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

  /** More settings of the poller, in addition to those given before. */
  public B poller(UnaryOperator<OutboxPoller.Builder> settings) {
    poller = both(poller, settings);
    return self();
  }

  /** More settings of the purge, in addition to those given before. */
  public B purge(UnaryOperator<OutboxPurgeScheduler.Builder> settings) {
    purge = purge == null ? Require.given("settings", settings) : both(purge, settings);
    return self();
  }

  private static <T> UnaryOperator<T> both(UnaryOperator<T> before, UnaryOperator<T> settings) {
    Require.given("settings", settings);
    return builder -> settings.apply(before.apply(builder));
  }

  @Override
  final Engine.Plan plan() {
    OutboxStore store = store();
    ConnectionProvider connections = connections();
    ListenerRegistry routes = routes();
    return new Engine.Plan(
        () -> dispatcher(store, connections, routes),
        delivering -> poller(store, connections, delivering),
        purgePlan(store, connections),
        notifications(),
        hotPath);
  }

  private OutboxDispatcher dispatcher(
      OutboxStore store, ConnectionProvider connections, ListenerRegistry routes) {
    return dispatcher
        .apply(
            OutboxDispatcher.builder()
                .connectionProvider(connections)
                .outboxStore(store)
                .listenerRegistry(routes)
                .metrics(metrics)
                .hotQueueCapacity(QUEUE)
                .coldQueueCapacity(QUEUE))
        .build();
  }

  private OutboxPoller poller(
      OutboxStore store, ConnectionProvider connections, OutboxDispatcher delivering) {
    return poller
        .apply(
            claiming(
                OutboxPoller.builder()
                    .connectionProvider(connections)
                    .outboxStore(store)
                    .handler(new DispatcherPollerHandler(delivering))
                    .metrics(metrics)
                    .filter(filter)
                    .batchSize(BATCH)
                    .intervalMs(INTERVAL_MS)))
        .build();
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

  /** Adds how this kind of outbox shares its table with others. */
  abstract OutboxPoller.Builder claiming(OutboxPoller.Builder builder);

  private ListenerRegistry routes() {
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
