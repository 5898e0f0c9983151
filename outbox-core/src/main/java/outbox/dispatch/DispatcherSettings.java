package outbox.dispatch;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import outbox.internal.ErrorText;
import outbox.internal.Require;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/** Everything a dispatcher needs to know, checked once. */
record DispatcherSettings(
    ConnectionProvider connectionProvider,
    OutboxStore outboxStore,
    ListenerRegistry listenerRegistry,
    InFlightTracker inFlightTracker,
    RetryPolicy retryPolicy,
    int maxAttempts,
    int workerCount,
    ThreadFactory workerThreads,
    int hotQueueCapacity,
    int coldQueueCapacity,
    MetricsExporter metrics,
    List<EventInterceptor> interceptors,
    Duration drainTimeout,
    CompletionMode completion,
    @Nullable Duration dispatchTimeout,
    UnroutablePolicy unroutable,
    ErrorRedactor errorRedactor,
    int lastErrorMaxLength,
    long queueBytes,
    int asyncInFlight,
    Clock clock) {

  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

  DispatcherSettings {
    Require.given("inFlightTracker", inFlightTracker);
    Require.given("retryPolicy", retryPolicy);
    Require.given("workerThreads", workerThreads);
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
    Require.check(
        dispatchTimeout == null || dispatchTimeout.compareTo(LONGEST_TIMEOUT) <= 0,
        "dispatchTimeout",
        "at most " + LONGEST_TIMEOUT,
        String.valueOf(dispatchTimeout));
    Require.check(
        Require.given("unroutable", unroutable) == UnroutablePolicy.DEAD
            || outboxStore.settlesExactly(),
        "unroutable",
        "DEAD with a store whose settle counts every try; override settle and settlesExactly in it",
        unroutable);
    Require.given("errorRedactor", errorRedactor);
    Require.check(
        lastErrorMaxLength > 0 && lastErrorMaxLength <= ErrorText.MAX_LENGTH,
        "lastErrorMaxLength",
        "from 1 to " + ErrorText.MAX_LENGTH,
        lastErrorMaxLength);
    Require.atLeast(1, "queueBytes", queueBytes);
    Require.atLeast(1, "asyncInFlight", asyncInFlight);
    interceptors = List.copyOf(interceptors);
  }

  FailureText failureText() {
    return new FailureText(errorRedactor, lastErrorMaxLength);
  }

  Judge judge() {
    return new Judge(retryPolicy, maxAttempts, completion, clock, unroutable, failureText());
  }

  /** For the log line at the start. */
  String describe() {
    return "store=%s workers=%d hotQueue=%d coldQueue=%d queueBytes=%d asyncInFlight=%d maxAttempts=%d dispatchTimeout=%s drainTimeout=%s completion=%s unroutable=%s"
        .formatted(
            outboxStore.getClass().getSimpleName(),
            workerCount,
            hotQueueCapacity,
            coldQueueCapacity,
            queueBytes,
            asyncInFlight,
            maxAttempts,
            dispatchTimeout == null ? "none" : dispatchTimeout,
            drainTimeout,
            completion,
            unroutable);
  }
}
