package outbox.purge;

import java.time.Clock;
import java.time.Duration;
import outbox.internal.Require;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;

/** Everything a purge scheduler needs to know, checked once. */
record PurgeSettings(
    ConnectionProvider connectionProvider,
    EventPurger purger,
    Duration retention,
    int batchSize,
    Duration interval,
    Clock clock) {

  PurgeSettings {
    Require.notNegative("retention", retention);
    Require.atLeast(1, "batchSize", batchSize);
    Require.positive("interval", interval);
    Require.given("clock", clock);
  }
}
