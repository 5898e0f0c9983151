package outbox.dispatch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of all events in this dispatcher's hands. An event that is larger than the whole
 * budget passes when there is no other.
 */
final class ByteBudget {

  private static final long MOST_BY_DEFAULT = 64L << 20;
  private static final int PART_OF_HEAP = 8;
  private static final int PARTS = 4;

  private final long limit;
  private final AtomicLong used = new AtomicLong();

  ByteBudget(long limit) {
    this.limit = limit;
  }

  /** 64 MiB, or an eighth of the heap if that is less. */
  static long byDefault() {
    return Math.min(MOST_BY_DEFAULT, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  boolean tryTake(long bytes) {
    long before;
    do {
      before = used.get();
      if (before > 0 && bytes > limit - before) {
        return false;
      }
    } while (!used.compareAndSet(before, before + bytes));
    return true;
  }

  void giveBack(long bytes) {
    used.addAndGet(-bytes);
  }

  long free() {
    return Math.max(0, limit - used.get());
  }

  /** Whether at least half of it is taken. */
  boolean isHalfUsed() {
    long taken = used.get();
    return taken >= limit - taken;
  }

  /** Without the part that is kept for the cold path, which would starve beside a busy hot one. */
  long freeForHot() {
    return Math.max(0, free() - part());
  }

  /** So little that the others get on with the rest. */
  long part() {
    return limit / PARTS;
  }
}
