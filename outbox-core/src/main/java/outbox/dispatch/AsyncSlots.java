package outbox.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Bounds how many events are under way asynchronously. What finds no slot waits without keeping a
 * worker, and is queued again when there is one.
 */
final class AsyncSlots {

  private final FairQueue queue;
  private final int total;
  private final Deque<Work> waiting = new ArrayDeque<>();
  private int used;
  private boolean drained;

  AsyncSlots(FairQueue queue, int total) {
    this.queue = queue;
    this.total = total;
  }

  /**
   * Returns how many slots there are, up to as many as wanted; without one, the work waits.
   * Negative if everything that waits was taken out already.
   */
  synchronized int take(int wanted, Work work) {
    if (drained) {
      return -1;
    }
    int granted = Math.min(wanted, total - used);
    used += granted;
    if (granted == 0) {
      waiting.addLast(work);
      if (work instanceof Delivery delivery) {
        queue.park(delivery);
      }
    }
    return granted;
  }

  synchronized void giveBack(int slots) {
    used -= slots;
    for (int i = 0; i < slots && !waiting.isEmpty(); i++) {
      resume(waiting.removeFirst());
    }
    notifyAll();
  }

  /** Takes out the events that wait for a slot, for good. */
  synchronized List<Delivery> drain() {
    drained = true;
    List<Delivery> left = new ArrayList<>();
    for (Work work : waiting) {
      if (work instanceof Delivery delivery) {
        left.add(delivery);
      }
    }
    waiting.clear();
    queue.unpark(left);
    return left;
  }

  /** Waits until nothing is under way any more, or until the deadline. */
  synchronized void awaitIdle(long deadlineNanos) {
    try {
      for (long left; used > 0 && (left = deadlineNanos - System.nanoTime()) > 0; ) {
        long millis = left / 1_000_000;
        wait(millis, (int) (left % 1_000_000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void resume(Work work) {
    if (work instanceof Delivery delivery) {
      queue.resume(delivery);
    } else {
      queue.lineUp((Gathering) work);
    }
  }
}
