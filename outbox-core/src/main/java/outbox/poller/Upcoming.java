package outbox.poller;

import java.lang.System.Logger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;
import outbox.internal.Transactions;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;

/**
 * Learns from the table when events fall due that this process has not heard of, because others
 * wrote or tried them, or it was started since.
 *
 * <p>It looks ahead until after its next look, and not with every poll: with an interval of a
 * second, every other poll of an idle node is followed by a look. What falls due sooner than it was
 * looked for is found by the next poll; a long interval is cut short for a look that was due.
 */
final class Upcoming {

  private static final Logger LOG = SafeLogger.of(OutboxPoller.class);

  private static final Duration PERIOD = Duration.ofMillis(1250);
  private static final Duration FURTHEST = Duration.ofDays(3650);

  /** To be late by less is not worth a look. */
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

  /** Each of them is a poll, here and on every node. */
  private static final int MOST = 100;

  private static final Duration APART = Duration.ofMillis(50);

  private final PollerSettings settings;
  private final LongSupplier nanoTime;
  private final Consumer<Instant> falls;
  private final RateLimitedLog failed = new RateLimitedLog(LOG);
  private long nextNanos;

  Upcoming(PollerSettings settings, LongSupplier nanoTime, Consumer<Instant> falls) {
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.falls = falls;
    nextNanos = nanoTime.getAsLong();
  }

  /**
   * All that was due by then was fetched. Returns when there should be another poll at the latest.
   */
  Duration look(Instant fetchedUntil) {
    Duration interval = settings.interval();
    if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
      return interval;
    }
    long now = nanoTime.getAsLong();
    if (now - nextNanos < 0) {
      return interval.compareTo(PERIOD) > 0 ? Duration.ofNanos(nextNanos - now) : interval;
    }
    nextNanos = now + PERIOD.toNanos();
    learn(fetchedUntil);
    return interval;
  }

  private void learn(Instant fetchedUntil) {
    try {
      EventFilter wanted = settings.wanted().now().orElse(null);
      if (wanted != null) {
        tell(read(fetchedUntil, wanted));
      }
    } catch (Exception e) {
      failed.warn(
          1,
          count ->
              "next due times could not be read; what falls due waits for the next poll, within %s: count=%d"
                  .formatted(settings.interval(), count),
          e);
    }
  }

  /** What has come meanwhile is asked for, too: it was not due when the poll fetched. */
  private List<Instant> read(Instant fetchedUntil, EventFilter wanted) throws Exception {
    Fetch later = new Fetch(fetchedUntil, settings.skipRecent(), MOST, wanted, null, null);
    Instant until = settings.clock().instant().plus(ahead());
    return Transactions.onConnection(
        settings.connectionProvider(),
        connection -> settings.outboxStore().dueTimes(connection, later, until));
  }

  /** Twice as far as the next look is away, which may be late. */
  private Duration ahead() {
    Duration interval = settings.interval();
    return interval.compareTo(FURTHEST) > 0 ? FURTHEST : PERIOD.plus(interval).multipliedBy(2);
  }

  /** Of those that are close together the first; a poll that finds it is followed by others. */
  private void tell(List<Instant> dueTimes) {
    Instant last = null;
    for (Instant due : dueTimes) {
      if (last == null || !due.isBefore(last.plus(APART))) {
        falls.accept(due);
        last = due;
      }
    }
  }
}
