package outbox.destination;

import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.destination.internal.MonotonicClock;
import outbox.internal.Require;

/**
 * How a destination is guarded.
 *
 * @param rate the most events per second; null for any number
 * @param clock the time of day, for people
 * @param spans measures how long something takes; setting the time of day doesn't move it
 */
record GuardSettings(
    int outageAfter,
    Duration firstProbe,
    Duration longestProbe,
    Duration timeout,
    int maxInFlight,
    @Nullable Integer rate,
    Clock clock,
    Clock spans) {

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

  static GuardSettings defaults() {
    Clock clock = Clock.systemUTC();
    return new GuardSettings(
        3,
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Integer.MAX_VALUE,
        null,
        clock,
        MonotonicClock.startingWith(clock));
  }

  GuardSettings withOutageAfter(int batches) {
    return new GuardSettings(
        batches, firstProbe, longestProbe, timeout, maxInFlight, rate, clock, spans);
  }

  GuardSettings withProbes(Duration first, Duration longest) {
    return new GuardSettings(outageAfter, first, longest, timeout, maxInFlight, rate, clock, spans);
  }

  GuardSettings withTimeout(Duration longestBatch) {
    return new GuardSettings(
        outageAfter, firstProbe, longestProbe, longestBatch, maxInFlight, rate, clock, spans);
  }

  GuardSettings withMaxInFlight(int events) {
    return new GuardSettings(
        outageAfter, firstProbe, longestProbe, timeout, events, rate, clock, spans);
  }

  GuardSettings withRate(int eventsPerSecond) {
    return new GuardSettings(
        outageAfter, firstProbe, longestProbe, timeout, maxInFlight, eventsPerSecond, clock, spans);
  }

  GuardSettings withClocks(Clock ofPeople, Clock ofSpans) {
    return new GuardSettings(
        outageAfter, firstProbe, longestProbe, timeout, maxInFlight, rate, ofPeople, ofSpans);
  }
}
