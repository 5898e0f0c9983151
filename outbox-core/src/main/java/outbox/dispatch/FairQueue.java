package outbox.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import outbox.util.Nullable;

/**
 * Two bounded queues with one signal: a taker waits for either, and gets two hot events for each
 * cold one while both have some.
 */
final class FairQueue {

  private static final int ROUND = 3;

  private final ArrayBlockingQueue<Delivery> hot;
  private final ArrayBlockingQueue<Delivery> cold;
  private final Semaphore waiting = new Semaphore(0);
  private final AtomicInteger turn = new AtomicInteger();
  private volatile boolean closed;

  FairQueue(int hotCapacity, int coldCapacity) {
    hot = new ArrayBlockingQueue<>(hotCapacity);
    cold = new ArrayBlockingQueue<>(coldCapacity);
  }

  /** False if the queue is full or closed. */
  boolean offer(Delivery delivery) {
    ArrayBlockingQueue<Delivery> queue = delivery.isHot() ? hot : cold;
    if (closed || !queue.offer(delivery)) {
      return false;
    }
    if (closed && queue.remove(delivery)) {
      return false; // close() came between, and no taker may be left
    }
    waiting.release();
    return true;
  }

  /** Waits for an event; null once the queue is closed and empty. */
  @Nullable
  Delivery take() {
    waiting.acquireUninterruptibly();
    while (true) {
      boolean last = closed;
      Delivery delivery = poll();
      if (delivery != null || last) {
        return delivery;
      }
      // The permit is for an event that came to one queue while this taker looked at the other.
      Thread.onSpinWait();
    }
  }

  /** Refuses events from now on and lets each taker go when there are none left. */
  void close(int takers) {
    closed = true;
    waiting.release(takers);
  }

  List<Delivery> drain() {
    List<Delivery> left = new ArrayList<>();
    hot.drainTo(left);
    cold.drainTo(left);
    return left;
  }

  boolean hasRoom(boolean isHot) {
    return !closed && (isHot ? hot : cold).remainingCapacity() > 0;
  }

  int hotDepth() {
    return hot.size();
  }

  int coldDepth() {
    return cold.size();
  }

  int hotRemainingCapacity() {
    return closed ? 0 : hot.remainingCapacity();
  }

  int coldRemainingCapacity() {
    return closed ? 0 : cold.remainingCapacity();
  }

  private @Nullable Delivery poll() {
    boolean coldFirst = Math.floorMod(turn.getAndIncrement(), ROUND) == ROUND - 1;
    Delivery first = (coldFirst ? cold : hot).poll();
    return first != null ? first : (coldFirst ? hot : cold).poll();
  }
}
