package outbox.dispatch;

import java.time.Duration;
import java.util.List;
import outbox.EventEnvelope;
import outbox.internal.EventSize;
import outbox.spi.Claim;

/**
 * How much the transactions under way may count on the hot queue: under a claim on what is free in
 * it now, and without one, where what finds no room costs nothing, on several times its capacity.
 * Either way their events keep to three quarters of the bytes that this dispatcher may have in its
 * hands.
 */
final class HotRoom {

  private static final int KEPT_PER_PLACE = 10;

  /** Only transactions that end later, or never, lose what they were promised. */
  private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(5);

  private final FairQueue queue;
  private final ByteBudget budget;
  private final long mostKept;
  private final Reservations places = new Reservations();
  private final Reservations bytes = new Reservations();

  HotRoom(FairQueue queue, ByteBudget budget, int capacity) {
    this.queue = queue;
    this.budget = budget;
    mostKept = (long) capacity * KEPT_PER_PLACE;
  }

  /** All or none; ends with the claim if nobody gives it back. */
  boolean reserve(Claim claim, List<EventEnvelope> events) {
    long deadline = claim.deadlineNanos();
    boolean fit =
        places.reserve(claim, events.size(), queue.hotRemainingCapacity(), deadline)
            && bytes.reserve(claim, size(events), budget.freeForHot(), deadline);
    if (!fit) {
      giveBack(claim);
    }
    return fit;
  }

  /** Returns how many of the events, from the first, may be kept until they are committed. */
  int reserveToKeep(Object holder, List<EventEnvelope> events) {
    long deadline = System.nanoTime() + LONGEST_TRANSACTION.toNanos();
    long most = places.reserveUpTo(holder, events.size(), mostKept, deadline);
    long left = bytes.reserveUpTo(holder, size(events), budget.freeForHot(), deadline);
    int kept = 0;
    while (kept < most && EventSize.of(events.get(kept)) <= left) {
      left -= EventSize.of(events.get(kept));
      kept++;
    }
    return kept;
  }

  void giveBack(Object holder) {
    places.giveBack(holder);
    bytes.giveBack(holder);
  }

  private static long size(List<EventEnvelope> events) {
    return events.stream().mapToLong(EventSize::of).sum();
  }
}
