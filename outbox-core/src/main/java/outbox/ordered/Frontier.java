package outbox.ordered;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import outbox.spi.OrderedPage;

/**
 * Where to read on, so that what is committed late is not passed over.
 *
 * <p>Numbers are taken before their transactions commit, so one can appear below others that were
 * read already. A pass over the table begins below everything that could still be on its way: a
 * number whose event is known to be open, or taken by a transaction that was open when the reading
 * was past it, or taken a moment ago by one that shows in neither way yet. What has ended isn't
 * there any more, so that reading a range again costs little.
 *
 * <p>Used by one thread.
 */
final class Frontier {

  /** By then whoever took a number has an open transaction that shows. */
  static final Duration MOMENT = Duration.ofMillis(500);

  private final Deque<Reached> unconfirmed = new ArrayDeque<>();

  /** Where to read again once the transaction has ended. */
  private final Map<Long, Long> openTransactions = new HashMap<>();

  private long confirmed;
  private long passStart;
  private long passNanos;
  private long position;
  private long highest;
  private long again = Long.MAX_VALUE;
  private long belowOpen = Long.MAX_VALUE;
  private boolean isFirstPage;

  /** How far the reading had come at some moment. */
  private record Reached(long seq, long nanos) {}

  /** Begins a pass: from here on. */
  long begin(long nowNanos) {
    passStart = Math.min(confirmed, Math.min(again, belowOpen));
    again = Long.MAX_VALUE;
    belowOpen = Long.MAX_VALUE;
    passNanos = nowNanos;
    position = passStart;
    isFirstPage = true;
    return position;
  }

  /** Where the pass goes on. */
  long position() {
    return position;
  }

  /** The highest number that was ever read. */
  long highest() {
    return highest;
  }

  /** Whether a pass has gone on for so long that the next should begin. */
  boolean isPassOld(long nowNanos) {
    return nowNanos - passNanos >= MOMENT.toNanos();
  }

  /**
   * A page of the pass was read.
   *
   * @param old whether all of it was written long ago
   */
  void read(OrderedPage page, boolean old, long nowNanos) {
    if (!page.rows().isEmpty()) {
      position = page.rows().get(page.rows().size() - 1).seq();
      highest = Math.max(highest, position);
      unconfirmed.add(new Reached(position, old ? nowNanos - 2 * MOMENT.toNanos() : nowNanos));
    }
    page.openEvents().forEach(open -> belowOpen = Math.min(belowOpen, open.seq() - 1));
    follow(page.openTransactions());
    isFirstPage = false;
  }

  /** The pass has read everything there was. */
  void end() {
    while (!unconfirmed.isEmpty()
        && passNanos - unconfirmed.getFirst().nanos() >= MOMENT.toNanos()) {
      confirmed = Math.max(confirmed, unconfirmed.removeFirst().seq());
    }
  }

  /** Whether something below has ended that this pass was too early for. */
  boolean isToBeginAgain() {
    return again < position;
  }

  /** Whether events were seen whose transactions have not ended. */
  boolean hasOpenEvents() {
    return belowOpen != Long.MAX_VALUE;
  }

  /** Everything is to be read again. */
  void rewind() {
    confirmed = 0;
    again = 0;
    unconfirmed.clear();
    openTransactions.clear();
  }

  /** What ended before the first page was read is in it, or comes behind it. */
  private void follow(Set<Long> open) {
    openTransactions
        .entrySet()
        .removeIf(
            transaction -> {
              if (open.contains(transaction.getKey())) {
                return false;
              }
              if (!isFirstPage || transaction.getValue() < passStart) {
                again = Math.min(again, transaction.getValue());
              }
              return true;
            });
    open.forEach(transaction -> openTransactions.putIfAbsent(transaction, passStart));
  }
}
