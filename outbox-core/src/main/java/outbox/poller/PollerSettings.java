package outbox.poller;

import java.time.Clock;
import java.time.Duration;
import outbox.internal.Require;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.JsonCodec;
import outbox.util.Nullable;

/** Everything a poller needs to know, checked once; {@code claiming} is null on a single node. */
record PollerSettings(
    ConnectionProvider connectionProvider,
    OutboxStore outboxStore,
    OutboxPollerHandler handler,
    Duration skipRecent,
    int batchSize,
    Duration interval,
    MetricsExporter metrics,
    @Nullable Claiming claiming,
    JsonCodec jsonCodec,
    Wanted wanted,
    Clock clock) {

  /** Who claims, and for how long. */
  record Claiming(String ownerId, Duration timeout) {

    private static final Duration LONGEST = Duration.ofDays(36_500);

    Claiming {
      Require.storableName("ownerId", ownerId, 128);
      Require.positive("lock timeout", timeout);
      Require.check(timeout.compareTo(LONGEST) <= 0, "lock timeout", "at most " + LONGEST, timeout);
    }
  }

  /** For the log line at the start. */
  String describe() {
    return "store=%s interval=%s batchSize=%d skipRecent=%s %s"
        .formatted(
            outboxStore.getClass().getSimpleName(),
            interval,
            batchSize,
            skipRecent,
            claiming == null
                ? "claims=none, so it must be the only poller of its table"
                : "claims=" + claiming.ownerId() + " for " + claiming.timeout());
  }

  PollerSettings {
    Require.notNegative("skipRecent", skipRecent);
    Require.atLeast(1, "batchSize", batchSize);
    Require.positive("interval", interval);
    Require.given("metrics", metrics);
    Require.given("jsonCodec", jsonCodec);
    Require.given("clock", clock);
  }
}
