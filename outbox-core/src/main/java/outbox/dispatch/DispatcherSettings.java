package outbox.dispatch;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import outbox.internal.Require;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;

/** Everything a dispatcher needs to know, checked once. */
record DispatcherSettings(
    ConnectionProvider connectionProvider,
    OutboxStore outboxStore,
    ListenerRegistry listenerRegistry,
    InFlightTracker inFlightTracker,
    RetryPolicy retryPolicy,
    int maxAttempts,
    int workerCount,
    int hotQueueCapacity,
    int coldQueueCapacity,
    MetricsExporter metrics,
    List<EventInterceptor> interceptors,
    Duration drainTimeout,
    CompletionMode completion,
    Clock clock) {

  DispatcherSettings {
    Require.given("inFlightTracker", inFlightTracker);
    Require.given("retryPolicy", retryPolicy);
    Require.given("metrics", metrics);
    Require.given("clock", clock);
    Require.check(
        Require.given("completion", completion) == CompletionMode.MARK_DONE
            || outboxStore.deletesDelivered(),
        "completion",
        "MARK_DONE with a store that can't delete",
        completion);
    Require.atLeast(1, "maxAttempts", maxAttempts);
    Require.atLeast(0, "workerCount", workerCount);
    Require.atLeast(1, "hotQueueCapacity", hotQueueCapacity);
    Require.atLeast(1, "coldQueueCapacity", coldQueueCapacity);
    Require.notNegative("drainTimeout", drainTimeout);
    interceptors = List.copyOf(interceptors);
  }

  /** For the log line at the start. */
  String describe() {
    return "store=%s workers=%d hotQueue=%d coldQueue=%d maxAttempts=%d drainTimeout=%s completion=%s"
        .formatted(
            outboxStore.getClass().getSimpleName(),
            workerCount,
            hotQueueCapacity,
            coldQueueCapacity,
            maxAttempts,
            drainTimeout,
            completion);
  }
}
