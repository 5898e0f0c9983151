package outbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.SafeLogger;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Makes a dispatcher on a store, with the defaults of an outbox and then the user's settings.
 *
 * @param coldBy the call that makes everything come from the database; null if there is a hot path
 */
record DispatcherPlan(
    ConnectionProvider connections,
    ListenerRegistry routes,
    MetricsExporter metrics,
    UnaryOperator<OutboxDispatcher.Builder> settings,
    @Nullable String coldBy)
    implements Function<OutboxStore, OutboxDispatcher> {

  private static final Logger LOG = SafeLogger.of(Outbox.class);
  private static final int QUEUE = 2000;

  @Override
  public OutboxDispatcher apply(OutboxStore store) {
    OutboxDispatcher.Builder builder =
        settings.apply(
            OutboxDispatcher.builder()
                .connectionProvider(connections)
                .outboxStore(store)
                .listenerRegistry(routes)
                .metrics(metrics)
                .coldQueueCapacity(QUEUE));
    if (!builder.hasHotQueueCapacity()) {
      builder.hotQueueCapacity(QUEUE);
    } else if (coldBy != null) {
      LOG.log(
          Level.WARNING,
          "hotQueueCapacity has no effect with {0}, where events come from the database only; leave"
              + " it out, or set coldQueueCapacity",
          coldBy);
    }
    return builder.build();
  }
}
