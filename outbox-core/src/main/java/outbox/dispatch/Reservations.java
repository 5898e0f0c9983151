package outbox.dispatch;

import java.util.IdentityHashMap;

/**
 * Room, in events or in bytes, that is promised to events whose transactions are under way, so that
 * no more of them count on it than will fit.
 *
 * <p>Each promise has a holder, which gives it back when its transaction ends. One that is never
 * given back, because its transaction was abandoned, lapses when its time is over. Safe for all
 * threads.
 */
final class Reservations {

  private record Promise(long amount, long deadlineNanos) {

    boolean isOver(long nowNanos) {
      return nowNanos - deadlineNanos >= 0;
    }
  }

  private final IdentityHashMap<Object, Promise> promises = new IdentityHashMap<>();
  private long promised;
  private long firstDeadlineNanos = Long.MAX_VALUE;

  /** Promises the whole amount, or nothing and answers false. */
  synchronized boolean reserve(Object holder, long amount, long room, long deadlineNanos) {
    if (amount > left(amount, room)) {
      return false;
    }
    promise(holder, amount, deadlineNanos);
    return true;
  }

  /** Promises as much of the amount as possible, and returns how much that is. */
  synchronized long reserveUpTo(Object holder, long amount, long room, long deadlineNanos) {
    long granted = Math.min(amount, left(amount, room));
    if (granted > 0) {
      promise(holder, granted, deadlineNanos);
    }
    return granted;
  }

  /** Has no effect on a promise that has lapsed or was given back before. */
  synchronized void giveBack(Object holder) {
    Promise promise = promises.remove(holder);
    if (promise != null) {
      promised -= promise.amount();
    }
  }

  private void promise(Object holder, long amount, long deadlineNanos) {
    if (promises.isEmpty() || deadlineNanos - firstDeadlineNanos < 0) {
      firstDeadlineNanos = deadlineNanos;
    }
    promises.put(holder, new Promise(amount, deadlineNanos));
    promised += amount;
  }

  private long left(long wanted, long room) {
    if (room - promised < wanted && !promises.isEmpty()) {
      dropLapsed();
    }
    return Math.max(0, room - promised);
  }

  /** Looks at the promises only if one may have lapsed: whoever finds no room asks often. */
  private void dropLapsed() {
    long now = System.nanoTime();
    if (now - firstDeadlineNanos < 0) {
      return;
    }
    promises.values().removeIf(promise -> promise.isOver(now));
    promised = promises.values().stream().mapToLong(Promise::amount).sum();
    firstDeadlineNanos =
        now
            + promises.values().stream()
                .mapToLong(promise -> promise.deadlineNanos() - now)
                .min()
                .orElse(0);
  }
}
