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
 * from there on each has a stretch to itself. What nobody takes meanwhile is left to looks at
 * everything, and one comes at once when less is found than was asked for. Where such looks are
 * expensive there are no leaps, nor for a while after one that led too far.
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

  /** Between few events there are gaps without anybody's doing. */
  private static final int FEWEST = 100;

  private final LongSupplier nanoTime;
  private final boolean claims;
  private final Duration wayBack;
  private @Nullable Instant position;
  private @Nullable Instant wentOnFrom;
  private Duration leap = Duration.ZERO;
  private boolean hasLeapt;
  private long nextLeapNanos;
  private boolean begins = true;
  private boolean goesOn;
  private boolean full;
  private long startedNanos;
  private long periodNanos = SHORTEST_PERIOD_NANOS;
  private long nextFullNanos;
  private long lastCostNanos;

  /**
   * @param claims whether what was found is not found again
   * @param skipRecent for how long events that are due are left alone
   */
  Scan(LongSupplier nanoTime, boolean claims, Duration skipRecent) {
    this.nanoTime = nanoTime;
    this.claims = claims;
    wayBack = USUAL_TRANSACTION.plus(skipRecent);
    nextFullNanos = nanoTime.getAsLong();
    nextLeapNanos = nextFullNanos;
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
    hasLeapt = !full && (hasLeapt || (wentOnFrom != null && !leap.isZero()));
    if (full || position == null) {
      return null;
    }
    return wentOnFrom != null ? wentOnFrom : position.minus(wayBack);
  }

  /** Whether there may be events that were leapt over since everything was looked at. */
  boolean hasLeapt() {
    return hasLeapt;
  }

  /** The next poll looks at everything, because the leaps have led too far. */
  void leaptTooFar() {
    startOver();
    nextLeapNanos = nanoTime.getAsLong() + SHORTEST_PERIOD_NANOS;
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
      found(rows.stream().map(Fetched::availableAt).sorted().toList());
    }
  }

  private void found(List<Instant> dueTimes) {
    Instant first = dueTimes.get(0);
    Instant last = dueTimes.get(dueTimes.size() - 1);
    position = claims ? last : first;
    leap = Duration.ZERO;
    if (wentOnFrom != null && dueTimes.size() >= FEWEST && mayLeap()) {
      Duration passedOver = Duration.between(wentOnFrom, first);
      Duration found = Duration.between(first, last);
      boolean isShared = passedOver.multipliedBy(NOTICED).compareTo(found) > 0;
      leap = isShared ? shorter(found.multipliedBy(LEAP), LONGEST_LEAP) : Duration.ZERO;
    }
  }

  private boolean mayLeap() {
    return claims
        && periodNanos == SHORTEST_PERIOD_NANOS
        && nanoTime.getAsLong() - nextLeapNanos >= 0;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static long periodFor(long costNanos) {
    return Math.max(SHORTEST_PERIOD_NANOS, Math.min(LONGEST_PERIOD_NANOS, MOST_OFTEN * costNanos));
  }
}
