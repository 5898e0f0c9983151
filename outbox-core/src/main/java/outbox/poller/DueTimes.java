package outbox.poller;

import java.time.Duration;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;
import outbox.util.Nullable;

/**
 * Remembers when events fall due that are not due yet. Times are kept to the next ten milliseconds
 * and at most {@value #MOST} of them: of more, the latest are left to the polling interval.
 */
final class DueTimes {

  private static final int MOST = 10_000;
  private static final long GRAIN_MS = 10;

  private final TreeSet<Long> grains = new TreeSet<>();

  /** Returns true if nothing else is due earlier. */
  synchronized boolean add(Instant due) {
    grains.add(Math.floorDiv(due.toEpochMilli(), GRAIN_MS) + 1);
    if (grains.size() > MOST) {
      grains.pollLast();
    }
    return grains.first() * GRAIN_MS > due.toEpochMilli();
  }

  /** Forgets what is due by now, because it is about to be fetched; false if nothing is. */
  synchronized boolean forget(Instant now) {
    SortedSet<Long> due = grains.headSet(Math.floorDiv(now.toEpochMilli(), GRAIN_MS), true);
    boolean wasDue = !due.isEmpty();
    due.clear();
    return wasDue;
  }

  /** How long it is to the next one, which may have come already; null if there is none. */
  synchronized @Nullable Duration untilNext(Instant now) {
    return grains.isEmpty()
        ? null
        : Duration.ofMillis(Math.max(0, grains.first() * GRAIN_MS - now.toEpochMilli()));
  }
}
