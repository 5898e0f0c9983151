package outbox.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import outbox.model.EventKind;
import outbox.poller.Demand;
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
  private final Runnable roomAgain;
  private final Side hot;
  private final Side cold;
  private int turn;
  private int parked;
  private volatile boolean closed;

  /** One of the two queues; changes under the lock alone. */
  private static final class Side {

    private final int capacity;
    private final Deque<Work> work = new ArrayDeque<>();
    private final Crowd crowd;
    private volatile int waiting;
    private boolean hasRoomAgain;

    Side(int capacity) {
      this.capacity = capacity;
      crowd = new Crowd(capacity);
    }

    int room() {
      return Math.max(0, capacity - waiting);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock; volatile is for readers
    void count(Delivery delivery, int events) {
      waiting += events;
      hasRoomAgain |= crowd.count(EventKind.of(delivery.envelope()), events);
    }
  }

  FairQueue(int hotCapacity, int coldCapacity) {
    this(hotCapacity, coldCapacity, () -> {});
  }

  /**
   * @param roomAgain told when there is room again for cold events that no more were wanted of
   */
  FairQueue(int hotCapacity, int coldCapacity, Runnable roomAgain) {
    this.roomAgain = roomAgain;
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
      side.count(delivery, 1);
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
    Work work;
    boolean isNews;
    lock.lock();
    try {
      work = poll();
      while (work == null && !(closed && parked == 0)) {
        changed.awaitUninterruptibly();
        work = poll();
      }
      isNews = takeNews();
    } finally {
      lock.unlock();
    }
    tell(isNews);
    return work;
  }

  /** What was taken has to wait on; its taker keeps it. */
  void park(Delivery delivery) {
    lock.lock();
    try {
      parked++;
      side(delivery.isHot()).count(delivery, 1);
    } finally {
      lock.unlock();
    }
  }

  /** Parked events wait no more. */
  void unpark(List<Delivery> deliveries) {
    boolean isNews;
    lock.lock();
    try {
      deliveries.forEach(delivery -> side(delivery.isHot()).count(delivery, -1));
      parked -= deliveries.size();
      if (closed && parked == 0) {
        changed.signalAll();
      }
      isNews = takeNews();
    } finally {
      lock.unlock();
    }
    tell(isNews);
  }

  /** A parked event may be taken again, before all others. */
  void resume(Delivery delivery) {
    lock.lock();
    try {
      parked--;
      side(delivery.isHot()).work.addFirst(delivery);
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
        if (work instanceof Delivery delivery) {
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

  /**
   * Which cold events to fetch.
   *
   * @see Crowd#demand
   */
  Demand coldDemand(boolean several, int mostUnfinished) {
    lock.lock();
    try {
      return closed ? Demand.of(0) : cold.crowd.demand(several, mostUnfinished, System.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is no more room for such cold events beside others. */
  boolean isCrowded(EventKind kind, boolean several) {
    lock.lock();
    try {
      return cold.crowd.isCrowded(kind, several);
    } finally {
      lock.unlock();
    }
  }

  private boolean takeNews() {
    boolean isNews = cold.hasRoomAgain;
    cold.hasRoomAgain = false;
    return isNews;
  }

  /** Without the lock: whoever is told does what he likes. */
  private void tell(boolean isNews) {
    if (isNews) {
      roomAgain.run();
    }
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
    if (work instanceof Delivery delivery) {
      side.count(delivery, -1);
    }
    return work;
  }
}
