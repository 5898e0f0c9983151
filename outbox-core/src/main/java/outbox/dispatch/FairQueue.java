package outbox.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import outbox.util.Nullable;

/**
 * Two bounded queues with one signal: a taker waits for either, and gets two hot events for each
 * cold one while both have some.
 *
 * <p>An event whose listener can't take it yet is parked by its taker and counts as waiting all the
 * same, so that the capacities bound what waits, wherever it does. They are exact but for those
 * that are just being parked: at most one per taker.
 */
final class FairQueue {

  private static final int ROUND = 3;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Side hot;
  private final Side cold;
  private int turn;
  private int parked;
  private volatile boolean closed;

  /** One of the two queues; changes under the lock alone. */
  private static final class Side {

    private final int capacity;
    private final Deque<Work> work = new ArrayDeque<>();
    private volatile int waiting;

    Side(int capacity) {
      this.capacity = capacity;
    }

    int room() {
      return Math.max(0, capacity - waiting);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock; volatile is for readers
    void count(int events) {
      waiting += events;
    }
  }

  FairQueue(int hotCapacity, int coldCapacity) {
    hot = new Side(hotCapacity);
    cold = new Side(coldCapacity);
  }

  /** False if the queue is full or closed. */
  boolean offer(Delivery delivery) {
    Side side = side(delivery.isHot());
    if (closed || side.room() == 0) {
      return false; // without the lock, which the takers need to make room
    }
    lock.lock();
    try {
      if (closed || side.room() == 0) {
        return false;
      }
      side.count(1);
      side.work.addLast(delivery);
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for something to do; null once the queue is closed and nothing waits any more. */
  @Nullable
  Work take() {
    lock.lock();
    try {
      while (true) {
        Work work = poll();
        if (work != null || (closed && parked == 0)) {
          return work;
        }
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What was taken has to wait on; its taker keeps it. */
  void park(Delivery delivery) {
    lock.lock();
    try {
      parked++;
      side(delivery.isHot()).count(1);
    } finally {
      lock.unlock();
    }
  }

  /** Parked events wait no more. */
  void unpark(List<Delivery> deliveries) {
    lock.lock();
    try {
      deliveries.forEach(delivery -> side(delivery.isHot()).count(-1));
      parked -= deliveries.size();
      if (closed && parked == 0) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A parked event may be taken again, before all others. */
  void resume(Work event) {
    lock.lock();
    try {
      parked--;
      side(event.isHot()).work.addFirst(event);
      changed.signalAll(); // of a closed queue, the others may go now
    } finally {
      lock.unlock();
    }
  }

  /** Lines up a batch, whose events are parked, behind what waits now. */
  void lineUp(Gathering batch) {
    lock.lock();
    try {
      side(batch.isHot()).work.addLast(batch);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Refuses events from now on and lets the takers go when nothing waits any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes out the events that nobody took; those that are parked are their takers' to give. */
  List<Delivery> drain() {
    lock.lock();
    try {
      List<Delivery> left = new ArrayList<>();
      for (Work work = poll(); work != null; work = poll()) {
        Delivery delivery = work.delivery();
        if (delivery != null) {
          left.add(delivery);
        }
      }
      return left;
    } finally {
      lock.unlock();
    }
  }

  boolean hasRoom(boolean isHot) {
    return !closed && side(isHot).room() > 0;
  }

  /** Whether at least half of the places are taken. */
  boolean isHalfFull(boolean isHot) {
    Side side = side(isHot);
    return side.waiting >= side.capacity - side.waiting;
  }

  int hotDepth() {
    return hot.waiting;
  }

  int coldDepth() {
    return cold.waiting;
  }

  int hotRemainingCapacity() {
    return closed ? 0 : hot.room();
  }

  int coldRemainingCapacity() {
    return closed ? 0 : cold.room();
  }

  private Side side(boolean isHot) {
    return isHot ? hot : cold;
  }

  private @Nullable Work poll() {
    boolean coldFirst = turn == ROUND - 1;
    Work first = poll(side(!coldFirst));
    Work work = first != null ? first : poll(side(coldFirst));
    if (work != null) {
      turn = (turn + 1) % ROUND;
    }
    return work;
  }

  private static @Nullable Work poll(Side side) {
    Work work = side.work.pollFirst();
    if (work != null && work.delivery() != null) {
      side.count(-1);
    }
    return work;
  }
}
