package outbox.destination;

import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.internal.Require;

/**
 * How a destination is guarded.
 *
 * @param rate the most events per second; null for any number
 */
record GuardSettings(
    int outageAfter,
    Duration firstProbe,
    Duration longestProbe,
    Duration timeout,
    int maxInFlight,
    @Nullable Integer rate,
    Clock clock) {

  static final GuardSettings DEFAULTS =
      new GuardSettings(
          3,
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Integer.MAX_VALUE,
          null,
          Clock.systemUTC());

  GuardSettings {
    Require.atLeast(1, "outageAfter", outageAfter);
    Require.positive("first of probeAfter", firstProbe);
    Require.check(
        longestProbe.compareTo(firstProbe) >= 0,
        "longest of probeAfter",
        "at least the first, " + firstProbe,
        longestProbe);
    Require.positive("timeout", timeout);
    Require.atLeast(1, "maxInFlight", maxInFlight);
    if (rate != null) {
      Require.atLeast(1, "rate", rate);
    }
  }

  GuardSettings withOutageAfter(int batches) {
    return new GuardSettings(batches, firstProbe, longestProbe, timeout, maxInFlight, rate, clock);
  }

  GuardSettings withProbes(Duration first, Duration longest) {
    return new GuardSettings(outageAfter, first, longest, timeout, maxInFlight, rate, clock);
  }

  GuardSettings withTimeout(Duration longestBatch) {
    return new GuardSettings(
        outageAfter, firstProbe, longestProbe, longestBatch, maxInFlight, rate, clock);
  }

  GuardSettings withMaxInFlight(int events) {
    return new GuardSettings(outageAfter, firstProbe, longestProbe, timeout, events, rate, clock);
  }

  GuardSettings withRate(int eventsPerSecond) {
    return new GuardSettings(
        outageAfter, firstProbe, longestProbe, timeout, maxInFlight, eventsPerSecond, clock);
  }

  GuardSettings withClock(Clock other) {
    return new GuardSettings(
        outageAfter, firstProbe, longestProbe, timeout, maxInFlight, rate, other);
  }
}
