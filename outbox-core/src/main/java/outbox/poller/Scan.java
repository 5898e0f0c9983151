package outbox.poller;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import outbox.spi.Fetched;
import outbox.util.Nullable;

/**
 * Where a poll starts to look. One that follows a full one starts where that one found its first
 * event, which spares the database everything before: rows that are finished but that an old
 * snapshot still needs, or that are claimed or not wanted. Once in a while it looks at everything
 * all the same, because events can appear there: those of a slow transaction, or what others
 * release.
 *
 * <p>The first of a row of polls looks at everything, too. While that is expensive, it only goes
 * back far enough for transactions of the usual length, until a look at everything has its turn. A
 * single look that takes long may have waited for somebody's lock, or have been the first thing
 * that a process did, and makes nothing expensive; two in a row do.
 */
final class Scan {

  private static final long SHORTEST_PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

  /** What nodes that died had claimed is found by looks at everything alone. */
  private static final long LONGEST_PERIOD_NANOS = Duration.ofSeconds(30).toNanos();

  /** A look at everything may take this part of the time. */
  private static final int MOST_OFTEN = 20;

  /** Events are due when they are written and appear when their transaction commits. */
  private static final Duration USUAL_TRANSACTION = Duration.ofSeconds(2);

  private final LongSupplier nanoTime;
  private @Nullable Instant position;
  private boolean begins = true;
  private boolean goesOn;
  private boolean full;
  private long startedNanos;
  private long periodNanos = SHORTEST_PERIOD_NANOS;
  private long nextFullNanos;
  private long lastCostNanos;

  Scan(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    nextFullNanos = nanoTime.getAsLong();
  }

  /** The next poll is the first of a row. */
  void begin() {
    begins = true;
  }

  /**
   * The next poll follows one that fetched all there was. Like the first of a row it has to go back
   * for what was being committed, but it comes so soon that a look at everything waits its turn.
   */
  void goOn() {
    goesOn = true;
  }

  /** The next poll looks at everything. */
  void startOver() {
    position = null;
  }

  /** The due time to start from; null for a look at everything. */
  @Nullable
  Instant start() {
    startedNanos = nanoTime.getAsLong();
    boolean isFirst = begins;
    boolean goesBack = begins || goesOn;
    begins = false;
    goesOn = false;
    full =
        position == null
            || startedNanos - nextFullNanos >= 0
            || (isFirst && periodNanos == SHORTEST_PERIOD_NANOS);
    if (full || position == null) {
      return null;
    }
    return goesBack ? position.minus(USUAL_TRANSACTION) : position;
  }

  void fetched(List<Fetched> rows) {
    if (full) {
      long now = nanoTime.getAsLong();
      long costNanos = now - startedNanos;
      periodNanos = periodFor(Math.min(costNanos, lastCostNanos));
      nextFullNanos = now + periodNanos;
      lastCostNanos = costNanos;
    }
    rows.stream()
        .map(Fetched::availableAt)
        .min(Comparator.naturalOrder())
        .ifPresent(first -> position = first);
  }

  private static long periodFor(long costNanos) {
    return Math.max(SHORTEST_PERIOD_NANOS, Math.min(LONGEST_PERIOD_NANOS, MOST_OFTEN * costNanos));
  }
}
