package outbox.ordered;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import outbox.spi.OrderedPage;

/**
 * Where to read on, so that nothing is passed over that is committed late.
 *
 * <p>Numbers are taken before their transactions commit, so one can appear below others that were
 * read already. Therefore every page begins below whatever could still be on its way: an event that
 * is known to be open; the numbers of a transaction that was open when they were passed; and those
 * of a moment ago, whose transactions may have shown in neither way yet. What has ended isn't there
 * any more, so that reading a range again costs little.
 *
 * <p>A page is one view of the database. If it shows that a transaction has ended that began below
 * it, then an event in it may have an earlier one there, and the page must not be used.
 *
 * <p>Used by one thread.
 */
final class Frontier {

  /** By then whoever took a number has an open transaction that shows. */
  static final Duration MOMENT = Duration.ofMillis(500);

  private static final long NONE = Long.MAX_VALUE;

  private final Deque<Reached> unconfirmed = new ArrayDeque<>();

  /** Where to read again once the transaction has ended. */
  private final Map<Long, Long> openTransactions = new HashMap<>();

  private long confirmed;
  private long again = NONE;
  private long belowOpen = NONE;
  private long highest;

  /** How far the reading had come at some moment. */
  private record Reached(long seq, long nanos) {}

  /** What the next page comes after. */
  long start() {
    return Math.min(confirmed, Math.min(again, belowOpen));
  }

  /** The highest number that was ever read. */
  long highest() {
    return highest;
  }

  /** Whatever is committed later has a higher number. */
  long settled() {
    long lowest = start();
    for (long place : openTransactions.values()) {
      lowest = Math.min(lowest, place);
    }
    return lowest;
  }

  /** Whether there is something that a later page has to confirm. */
  boolean isUncertain() {
    return !unconfirmed.isEmpty();
  }

  /**
   * Takes note of a page that came after {@code start} and was asked for at this moment; false if
   * it must not be used.
   *
   * @param isLast whether there was nothing behind it
   * @param isOld whether all of it was written long ago
   * @param isRevealed whether every transaction that was open shortly before it shows
   */
  boolean accept(
      OrderedPage page,
      long start,
      boolean isLast,
      boolean isOld,
      boolean isRevealed,
      long askedNanos) {
    long missed = follow(page.openTransactions(), start);
    if (missed < start) {
      again = Math.min(again, missed);
      return false;
    }
    belowOpen = NONE;
    page.openEvents().forEach(open -> belowOpen = Math.min(belowOpen, open.seq() - 1));
    long lastRow = page.rows().isEmpty() ? start : page.rows().get(page.rows().size() - 1).seq();
    again = isLast ? NONE : lastRow; // what was committed late may be more than a page
    long reached = isLast ? Math.max(lastRow, page.highest()) : lastRow;
    highest = Math.max(highest, reached);
    if (isRevealed) {
      confirm(isLast ? NONE : lastRow, askedNanos);
    }
    boolean isCertain = isOld && isRevealed;
    if (isCertain) {
      confirmed = Math.max(confirmed, lastRow);
    }
    if (!isCertain || reached > lastRow) {
      unconfirmed.add(new Reached(reached, askedNanos));
    }
    return true;
  }

  /** Whether events were seen whose transactions have not ended. */
  boolean hasOpenEvents() {
    return belowOpen != NONE;
  }

  /** Everything is to be read again, from this number on. */
  void rewind(long beginning) {
    confirmed = beginning;
    highest = Math.max(highest, beginning);
    again = NONE;
    belowOpen = NONE;
    unconfirmed.clear();
    openTransactions.clear();
  }

  /** What was passed a moment before this page, and has been read again with it, is certain. */
  private void confirm(long upTo, long askedNanos) {
    while (!unconfirmed.isEmpty()
        && askedNanos - unconfirmed.getFirst().nanos() >= MOMENT.toNanos()) {
      long passed = unconfirmed.removeFirst().seq();
      if (passed <= upTo) {
        confirmed = Math.max(confirmed, passed);
      }
    }
  }

  /** The lowest place where a transaction began that has ended. */
  private long follow(Set<Long> open, long start) {
    long lowest = NONE;
    for (var transactions = openTransactions.entrySet().iterator(); transactions.hasNext(); ) {
      Map.Entry<Long, Long> transaction = transactions.next();
      if (!open.contains(transaction.getKey())) {
        lowest = Math.min(lowest, transaction.getValue());
        transactions.remove();
      }
    }
    open.forEach(transaction -> openTransactions.putIfAbsent(transaction, start));
    return lowest;
  }
}
