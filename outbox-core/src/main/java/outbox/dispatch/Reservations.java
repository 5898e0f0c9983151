package outbox.dispatch;

import java.util.IdentityHashMap;

/**
 * Room that is promised to events whose transactions are under way, so that no more of them count
 * on it than will fit.
 *
 * <p>Each promise has a holder, which gives it back when its transaction ends. One that is never
 * given back, because its transaction was abandoned, lapses when its time is over. Safe for all
 * threads.
 */
final class Reservations {

  private record Promise(int events, long deadlineNanos) {

    boolean isOver(long nowNanos) {
      return nowNanos - deadlineNanos >= 0;
    }
  }

  private final IdentityHashMap<Object, Promise> promises = new IdentityHashMap<>();
  private int promised;
  private long firstDeadlineNanos = Long.MAX_VALUE;

  /** Promises room for all of the events, or for none and answers false. */
  synchronized boolean reserve(Object holder, int events, int room, long deadlineNanos) {
    if (events > left(events, room)) {
      return false;
    }
    promise(holder, events, deadlineNanos);
    return true;
  }

  /** Promises room for as many of the events as possible, and returns how many that are. */
  synchronized int reserveUpTo(Object holder, int events, int room, long deadlineNanos) {
    int granted = Math.min(events, left(events, room));
    if (granted > 0) {
      promise(holder, granted, deadlineNanos);
    }
    return granted;
  }

  /** Has no effect on a promise that has lapsed or was given back before. */
  synchronized void giveBack(Object holder) {
    Promise promise = promises.remove(holder);
    if (promise != null) {
      promised -= promise.events();
    }
  }

  private void promise(Object holder, int events, long deadlineNanos) {
    if (promises.isEmpty() || deadlineNanos - firstDeadlineNanos < 0) {
      firstDeadlineNanos = deadlineNanos;
    }
    promises.put(holder, new Promise(events, deadlineNanos));
    promised += events;
  }

  private int left(int wanted, int room) {
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
    promised = promises.values().stream().mapToInt(Promise::events).sum();
    firstDeadlineNanos =
        now
            + promises.values().stream()
                .mapToLong(promise -> promise.deadlineNanos() - now)
                .min()
                .orElse(0);
  }
}
