package outbox;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;
import outbox.spi.OutboxStore;

/**
 * Builds an outbox that delivers straight from a commit, and from the database what that missed. By
 * default it fetches up to 1000 events at a time and looks into the table every second when nothing
 * else happens.
 *
 * @param <B> the builder itself
 */
public abstract sealed class PollingBuilder<B extends PollingBuilder<B>> extends RelayBuilder<B>
    permits SingleNodeBuilder, MultiNodeBuilder {

  private static final int BATCH = 1000;
  private static final long INTERVAL_MS = 1000;

  private boolean hotPath = true;
  private boolean isSetUp;
  private UnaryOperator<OutboxPoller.Builder> poller = UnaryOperator.identity();

  PollingBuilder() {}

  /** Whether events go from their commit straight to the queue; default: they do. */
  public B hotPath(boolean hotPath) {
    this.hotPath = hotPath;
    isSetUp = true;
    return self();
  }

  /** More settings of the poller, in addition to those given before. */
  public B poller(UnaryOperator<OutboxPoller.Builder> settings) {
    poller = both(poller, settings);
    isSetUp = true;
    return self();
  }

  @Override
  Engine.RelayPlan relayPlan(Function<OutboxStore, OutboxDispatcher> dispatchers) {
    return parts -> relay(dispatchers.apply(store()), parts);
  }

  /** Whether anything of what only a poller has was set. */
  final boolean isPollingSetUp() {
    return isSetUp;
  }

  /** Adds how this kind of outbox shares its table with others. */
  abstract OutboxPoller.Builder claiming(OutboxPoller.Builder builder);

  private Engine.Relay relay(OutboxDispatcher delivering, Consumer<AutoCloseable> parts) {
    parts.accept(delivering);
    OutboxPoller polling = poller(delivering);
    parts.accept(polling);
    // Others need not hear of events that are delivered here straight from their commit.
    return hotPath
        ? new Engine.Relay(
            delivering,
            new DispatcherWriterHook(delivering),
            event -> !delivering.takes(event),
            polling::start,
            polling::wake)
        : new Engine.Relay(
            delivering,
            new WakingHook(event -> true, polling::wake, polling::wakeAt),
            event -> true,
            polling::start,
            polling::wake);
  }

  private OutboxPoller poller(OutboxDispatcher delivering) {
    return poller
        .apply(
            claiming(
                OutboxPoller.builder()
                    .connectionProvider(connections())
                    .outboxStore(store())
                    .handler(new DispatcherPollerHandler(delivering))
                    .metrics(metrics())
                    .filter(filter())
                    .batchSize(BATCH)
                    .intervalMs(INTERVAL_MS)))
        .build();
  }
}
