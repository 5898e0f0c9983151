package outbox.dispatch;

import outbox.util.Nullable;

/**
 * How long a listener takes to answer as a rule, at most. What was cut off is no answer: a listener
 * that hangs is not one that always takes as long as its timeout. Guarded by the lock of {@link
 * AsyncSlots}.
 */
final class Habit {

  private static final int MUCH_LONGER = 3;

  private @Nullable Long slowestNanos;
  private long learntNanos;

  /** Whether it has ever answered. */
  boolean isKnown() {
    return slowestNanos != null;
  }

  /**
   * A slower answer counts at once, though one alone no more than doubles what was known: it may
   * have been this process that stood still. Faster ones count when none as slow has come for as
   * long as that takes; until then they may just be the first of those that began together.
   */
  void learn(long tookNanos, long nowNanos) {
    long before = slowestNanos == null ? 0 : slowestNanos;
    long took = Math.min(tookNanos, Math.max(Deferrer.HANGS.toNanos(), 2 * before));
    if (took >= before) {
      slowestNanos = took;
      learntNanos = nowNanos;
    } else if (nowNanos - learntNanos >= before) {
      slowestNanos = Math.max(took, before / 2);
      learntNanos = nowNanos;
    }
  }

  /** Whether it is nothing unusual that no answer has come for this long. */
  boolean allows(long nanos) {
    return slowestNanos != null && nanos < MUCH_LONGER * slowestNanos;
  }
}
