package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import outbox.EventListener;
import outbox.util.Nullable;

/**
 * The slots that one listener has, and what waits for more. Guarded by the lock of {@link
 * AsyncSlots}.
 */
final class Line {

  final EventListener listener;
  final Habit habit;
  final Deque<Work> waiting = new ArrayDeque<>();
  int held;

  /** Whether others have had slots or waited since it came. */
  boolean hasCompany;

  /** Whether the listener itself takes nothing more for the moment. */
  boolean isFull;

  /** When the last slot came back, or the first one went out. */
  long sinceNanos;

  /** When it said last that it takes nothing more, if ever, and since when, again and again. */
  private @Nullable Long fullNanos;

  private long fullSinceNanos;

  Line(EventListener listener, Habit habit, long sinceNanos) {
    this.listener = listener;
    this.habit = habit;
    this.sinceNanos = sinceNanos;
  }

  boolean isIdle() {
    return held == 0 && waiting.isEmpty();
  }

  void isFullAt(long nanos) {
    fullSinceNanos = wasFullLately(nanos) ? fullSinceNanos : nanos;
    fullNanos = nanos;
    isFull = true;
  }

  AsyncSlots.Stall stall(long nanos) {
    long full = wasFullLately(nanos) ? nanos - fullSinceNanos : 0;
    long idle = held == 0 ? Math.max(full, nanos - sinceNanos) : nanos - sinceNanos;
    return new AsyncSlots.Stall(
        listener, Duration.ofNanos(habit.allows(idle) ? 0 : idle), Duration.ofNanos(full));
  }

  private boolean wasFullLately(long nanos) {
    return fullNanos != null && nanos - fullNanos < Deferrer.MOMENT.toNanos();
  }
}
