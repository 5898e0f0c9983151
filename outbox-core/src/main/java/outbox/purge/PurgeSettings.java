package outbox.purge;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import outbox.internal.Require;
import outbox.spi.ConnectionProvider;

/** Everything a purge scheduler needs to know, checked once. */
record PurgeSettings(
    ConnectionProvider connectionProvider,
    List<PurgeRule> rules,
    int batchSize,
    Duration interval,
    Clock clock) {

  PurgeSettings {
    rules = List.copyOf(rules);
    Require.atLeast(1, "batchSize", batchSize);
    Require.positive("interval", interval);
    Require.given("clock", clock);
  }

  /** For the log line at the start. */
  String describe() {
    return rules.stream()
        .map(rule -> rule.events() + " events after " + rule.retention())
        .collect(Collectors.joining(", "));
  }
}
