package outbox.ordered;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The lanes that have to wait, in the order of time. Guarded by the lock of {@link Lanes}. */
final class Waits {

  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparing(Waiting::until));

  /** A lane that has to wait, unless it was woken since. */
  private record Waiting(Instant until, Lane lane) {

    boolean isStale() {
      Lane.Wait wait = lane.waiting();
      return wait == null || !wait.until().equals(until) || lane.isClosed();
    }
  }

  /** True if nobody has to be woken before. */
  boolean add(Lane lane, Lane.Wait wait) {
    dropStale();
    Waiting first = waiting.peek();
    lane.waitFor(wait);
    waiting.add(new Waiting(wait.until(), lane));
    return first == null || wait.until().isBefore(first.until());
  }

  /** Those whose time has come. */
  List<Lane> takeDue(Instant now) {
    List<Lane> due = new ArrayList<>();
    for (Waiting next = waiting.peek();
        next != null && !next.until().isAfter(now);
        next = waiting.peek()) {
      waiting.poll();
      if (!next.isStale()) {
        due.add(next.lane());
      }
    }
    return due;
  }

  Duration untilNext(Instant now, Duration atMost) {
    dropStale();
    Waiting next = waiting.peek();
    if (next == null) {
      return atMost;
    }
    Duration left = Duration.between(now, next.until());
    return left.compareTo(atMost) < 0 ? left : atMost;
  }

  private void dropStale() {
    while (!waiting.isEmpty() && waiting.peek().isStale()) {
      waiting.poll();
    }
  }
}
