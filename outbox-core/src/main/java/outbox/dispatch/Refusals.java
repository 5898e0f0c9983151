package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import outbox.internal.EventSize;

/**
 * Statuses that the database refuses, by a trigger or a constraint, of events that are nobody
 * else's. To let them go would be to deliver their events again, and again. So they are kept, and
 * tried once a minute; their events stay in flight. Used by one thread.
 */
final class Refusals {

  /** Those beyond are let go. */
  static final int MOST = 1000;

  private static final long PAUSE = Duration.ofMinutes(1).toNanos();

  private final long mostBytes;
  private final LongSupplier nanoTime;
  private final Deque<Completion> kept = new ArrayDeque<>();
  private final Deque<Completion> due = new ArrayDeque<>();
  private long nextNanos;

  /**
   * @param mostBytes of their events, which stay in memory: the others need some, too
   */
  Refusals(long mostBytes, LongSupplier nanoTime) {
    this.mostBytes = mostBytes;
    this.nanoTime = nanoTime;
  }

  /** False if it has to be given up. */
  boolean keep(Completion refused) {
    if (!refused.mayWait() || kept.size() >= MOST || bytesWith(refused) > mostBytes) {
      return false;
    }
    if (kept.isEmpty()) {
      nextNanos = nanoTime.getAsLong() + PAUSE;
    }
    return kept.add(refused);
  }

  private long bytesWith(Completion refused) {
    return Stream.concat(all().stream(), Stream.of(refused))
        .mapToLong(completion -> EventSize.of(completion.delivery().envelope()))
        .sum();
  }

  /** How long until they are to be tried; forever if there are none. */
  long untilNextNanos() {
    if (!due.isEmpty()) {
      return 0;
    }
    return kept.isEmpty() ? Long.MAX_VALUE : Math.max(0, nextNanos - nanoTime.getAsLong());
  }

  /** Those whose time has come, for the caller to take out one by one. */
  Deque<Completion> due() {
    if (!kept.isEmpty() && nextNanos - nanoTime.getAsLong() <= 0) {
      due.addAll(kept);
      kept.clear();
    }
    return due;
  }

  /** All of them, whether their time has come or not. */
  List<Completion> all() {
    return Stream.concat(due.stream(), kept.stream()).toList();
  }
}
