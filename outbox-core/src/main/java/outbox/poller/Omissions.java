package outbox.poller;

import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import outbox.model.EventKind;
import outbox.spi.Fetched;

/**
 * Leaves out of polls the kinds of events that the handler wants no more of, so that others are
 * found behind them.
 *
 * <p>A search for others that finds none has read over all that is left out. So it rests for a
 * multiple of what it took.
 */
final class Omissions {

  private static final int REST = 4;

  /** Less than a look is worth. */
  private static final long SHORTEST_REST_NANOS = Duration.ofMillis(2).toNanos();

  private final Scan scan;
  private final LongSupplier nanoTime;
  private Set<EventKind> kinds = Set.of();
  private long startedNanos;
  private long restedNanos;

  Omissions(Scan scan, LongSupplier nanoTime) {
    this.scan = scan;
    this.nanoTime = nanoTime;
    restedNanos = nanoTime.getAsLong();
  }

  /** Whether a search beside what is left out had better wait. */
  boolean rests(Demand demand) {
    return !demand.except().isEmpty() && nanoTime.getAsLong() - restedNanos < 0;
  }

  /** The next poll is by this demand. */
  void follow(Demand demand) {
    Set<EventKind> next = demand.except();
    if (!next.containsAll(kinds)) {
      scan.takeIn(next.isEmpty());
    }
    if (!next.isEmpty()) {
      scan.leaveOut();
    }
    kinds = next;
    startedNanos = nanoTime.getAsLong();
  }

  Set<EventKind> now() {
    return kinds;
  }

  void fetched(int rows) {
    if (rows == 0 && !kinds.isEmpty()) {
      long now = nanoTime.getAsLong();
      restedNanos = now + Math.max(SHORTEST_REST_NANOS, REST * (now - startedNanos));
    }
  }

  /** Whether the store doesn't know how to leave events out. */
  boolean areIgnored(Fetched row) {
    return !kinds.isEmpty() && kinds.contains(EventKind.of(row.event()));
  }
}
