package outbox;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.UnroutablePolicy;
import outbox.internal.Require;
import outbox.poller.OutboxPoller;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventFilter;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Builds an outbox that delivers straight from a commit, and from the database what that missed. By
 * default it fetches up to 1000 events at a time and looks into the table every second when nothing
 * else happens.
 *
 * @param <B> the builder itself
 */
public abstract sealed class PollingBuilder<B extends PollingBuilder<B>> extends RelayBuilder<B>
    permits SingleNodeBuilder, MultiNodeBuilder {

  private int batchSize = 1000;
  private Duration interval = Duration.ofSeconds(1);
  private boolean hotPath = true;
  private boolean isSetUp;
  private boolean routableOnly;
  private UnaryOperator<OutboxPoller.Builder> poller = UnaryOperator.identity();

  PollingBuilder() {}

  /** Whether events go from their commit straight to the queue; default: they do. */
  public B hotPath(boolean hotPath) {
    this.hotPath = hotPath;
    isSetUp = true;
    return self();
  }

  /** The most events fetched at once; default 1000. */
  public B batchSize(int batchSize) {
    Require.atLeast(1, "batchSize", batchSize);
    this.batchSize = batchSize;
    return self();
  }

  /** How often to look into the table when nothing else happens; default one second. */
  public B interval(Duration interval) {
    this.interval = Require.positive("interval", interval);
    return self();
  }

  /**
   * Takes only events that there is a listener for here, and leaves the rest as they are: to nodes
   * that know them, such as newer ones during a deployment. Default: takes all, and those without a
   * listener are DEAD. A {@link #listenerRegistry} must tell its event types for this.
   */
  public B routableOnly() {
    routableOnly = true;
    return self();
  }

  /** More settings of the poller, in addition to those given before. */
  public B poller(UnaryOperator<OutboxPoller.Builder> settings) {
    poller = both(poller, settings);
    isSetUp = true;
    return self();
  }

  @Override
  Engine.RelayPlan relayPlan(
      ListenerRegistry routes, Function<OutboxStore, OutboxDispatcher> dispatchers) {
    if (routableOnly && routes.eventTypes().isEmpty()) {
      throw new IllegalStateException(
          "routableOnly has to know the event types that there are listeners for; override"
              + " eventTypes in the listenerRegistry, or call listener instead");
    }
    boolean isFiltered = routableOnly || !filter().equals(EventFilter.ALL);
    if (isFiltered && !store().fetchesFiltered()) {
      throw new IllegalStateException(
          "filter and routableOnly need a store that can fetch some events only; override fetch and"
              + " fetchesFiltered in "
              + store().getClass().getName());
    }
    return new PollingPlan(store(), hotPath, polling(routes), dispatchers);
  }

  /** An event of a known type may still have an aggregate type that nobody here listens to. */
  @Override
  final UnaryOperator<OutboxDispatcher.Builder> delivering() {
    return routableOnly
        ? builder -> builder.unroutable(UnroutablePolicy.LEAVE)
        : super.delivering();
  }

  @Override
  @Nullable
  String coldBy() {
    return hotPath ? null : "hotPath(false)";
  }

  /** Whether anything of what only a poller has was set. */
  final boolean isPollingSetUp() {
    return isSetUp;
  }

  final int batchSize() {
    return batchSize;
  }

  final Duration interval() {
    return interval;
  }

  final boolean isRoutableOnly() {
    return routableOnly;
  }

  /** How this kind of outbox shares its table with others. */
  abstract UnaryOperator<OutboxPoller.Builder> claiming();

  /** As it is set now: what is set later is for outboxes that are built later. */
  private UnaryOperator<OutboxPoller.Builder> polling(ListenerRegistry routes) {
    ConnectionProvider connections = connections();
    MetricsExporter metrics = metrics();
    EventFilter filter = filter();
    int most = batchSize;
    long intervalMs = Math.max(1, interval.toMillis());
    UnaryOperator<OutboxPoller.Builder> routable =
        routableOnly ? builder -> builder.routableBy(routes) : UnaryOperator.identity();
    UnaryOperator<OutboxPoller.Builder> own =
        builder ->
            builder
                .connectionProvider(connections)
                .metrics(metrics)
                .filter(filter)
                .batchSize(most)
                .intervalMs(intervalMs);
    return both(both(both(own, routable), claiming()), poller);
  }
}
