package outbox.poller;

import java.time.Duration;
import java.time.Instant;
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
 * <p>With claims it goes on from the last event found, for those before are taken. Where much lies
 * between there and the first event found, other nodes are at work: the next poll leaps ahead, and
 * from there on each has a stretch to itself. What nobody takes meanwhile is found by the next look
 * at everything, which comes at once if there was too little behind the leap; where such looks are
 * expensive there are no leaps.
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

  /** By so many times what the last poll found a leap goes ahead, in terms of due times. */
  private static final int LEAP = 8;

  /** Nothing is due tomorrow, and not every database knows all years. */
  private static final Duration LONGEST_LEAP = Duration.ofDays(1);

  /** Others are at work if more than this part of what a poll finds had to be passed over first. */
  private static final int NOTICED = 4;

  private final LongSupplier nanoTime;
  private final boolean claims;
  private @Nullable Instant position;
  private @Nullable Instant wentOnFrom;
  private Duration leap = Duration.ZERO;
  private boolean hasLeapt;
  private boolean begins = true;
  private boolean goesOn;
  private boolean full;
  private long startedNanos;
  private long periodNanos = SHORTEST_PERIOD_NANOS;
  private long nextFullNanos;
  private long lastCostNanos;

  /**
   * @param claims whether what was found is not found again
   */
  Scan(LongSupplier nanoTime, boolean claims) {
    this.nanoTime = nanoTime;
    this.claims = claims;
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
    wentOnFrom = full || goesBack || position == null ? null : position.plus(leap);
    hasLeapt = wentOnFrom != null && !leap.isZero();
    if (full || position == null) {
      return null;
    }
    return wentOnFrom != null ? wentOnFrom : position.minus(USUAL_TRANSACTION);
  }

  /** Whether the last poll may have leapt over events that nobody took. */
  boolean hasLeapt() {
    return hasLeapt;
  }

  void fetched(List<Fetched> rows) {
    if (full) {
      long now = nanoTime.getAsLong();
      long costNanos = now - startedNanos;
      periodNanos = periodFor(Math.min(costNanos, lastCostNanos));
      nextFullNanos = now + periodNanos;
      lastCostNanos = costNanos;
    }
    if (!rows.isEmpty()) {
      List<Instant> dueTimes = rows.stream().map(Fetched::availableAt).sorted().toList();
      found(dueTimes.get(0), dueTimes.get(dueTimes.size() - 1));
    }
  }

  private void found(Instant first, Instant last) {
    position = claims ? last : first;
    leap = Duration.ZERO;
    if (claims && wentOnFrom != null && periodNanos == SHORTEST_PERIOD_NANOS) {
      Duration passedOver = Duration.between(wentOnFrom, first);
      Duration found = Duration.between(first, last);
      boolean isShared = passedOver.multipliedBy(NOTICED).compareTo(found) > 0;
      leap = isShared ? shorter(found.multipliedBy(LEAP), LONGEST_LEAP) : Duration.ZERO;
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static long periodFor(long costNanos) {
    return Math.max(SHORTEST_PERIOD_NANOS, Math.min(LONGEST_PERIOD_NANOS, MOST_OFTEN * costNanos));
  }
}
