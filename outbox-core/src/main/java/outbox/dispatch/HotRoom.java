package outbox.dispatch;

import java.time.Duration;
import outbox.spi.Claim;

/**
 * How much the transactions under way may count on the hot queue: under a claim on what is free in
 * it now, and without one, where what finds no room costs nothing, on several times its capacity.
 */
final class HotRoom {

  private static final int KEPT_PER_PLACE = 10;

  /** Only transactions that end later, or never, lose what they were promised. */
  private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(5);

  private final FairQueue queue;
  private final int mostKept;
  private final Reservations claimed = new Reservations();
  private final Reservations kept = new Reservations();

  HotRoom(FairQueue queue, int capacity) {
    this.queue = queue;
    mostKept = (int) Math.min(Integer.MAX_VALUE, (long) capacity * KEPT_PER_PLACE);
  }

  /** All or none; ends with the claim if nobody gives it back. */
  boolean reserve(Claim claim, int events) {
    return claimed.reserve(claim, events, queue.hotRemainingCapacity(), claim.deadlineNanos());
  }

  /** Returns how many events may be kept in memory until they are committed. */
  int reserveToKeep(Object holder, int events) {
    long deadlineNanos = System.nanoTime() + LONGEST_TRANSACTION.toNanos();
    return kept.reserveUpTo(holder, events, mostKept, deadlineNanos);
  }

  void giveBack(Object holder) {
    claimed.giveBack(holder);
    kept.giveBack(holder);
  }
}
