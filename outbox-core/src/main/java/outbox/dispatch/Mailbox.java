package outbox.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Gathers values for one taker, who gets all there are at once; putters wait while it is full. */
final class Mailbox<T> {

  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private final Condition emptied = lock.newCondition();
  private List<T> values = new ArrayList<>();
  private boolean closed;
  private boolean nudged;
  private int awaited = 1;

  Mailbox(int capacity) {
    this.capacity = capacity;
  }

  /** Waits for room, interrupts notwithstanding; false once closed. */
  boolean put(T value) {
    lock.lock();
    try {
      while (!closed && values.size() >= capacity) {
        emptied.awaitUninterruptibly();
      }
      return append(value);
    } finally {
      lock.unlock();
    }
  }

  /** Adds the value whether there is room or not; false once closed. */
  boolean add(T value) {
    lock.lock();
    try {
      return append(value);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is room, or the mailbox is closed; interrupts notwithstanding. */
  void awaitRoom() {
    lock.lock();
    try {
      while (!closed && values.size() >= capacity) {
        emptied.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** False if there is no room or the mailbox is closed. */
  boolean offer(T value) {
    lock.lock();
    try {
      return values.size() < capacity && append(value);
    } finally {
      lock.unlock();
    }
  }

  /** Lets the taker go on, with what there is. */
  void nudge() {
    lock.lock();
    try {
      nudged = true;
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits at most this long; empty if nothing came, or after a nudge, or once closed. */
  List<T> takeAll(long maxWaitNanos) {
    lock.lock();
    try {
      long left = maxWaitNanos;
      while (values.isEmpty() && !closed && !nudged && left > 0) {
        left = await(left);
      }
      nudged = false;
      List<T> taken = values;
      values = new ArrayList<>();
      emptied.signalAll();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there are this many values, at most this long; a nudge or close ends it. */
  void awaitValues(int count, long maxWaitNanos) {
    lock.lock();
    try {
      awaited = count;
      long left = maxWaitNanos;
      while (values.size() < count && !closed && !nudged && left > 0) {
        left = await(left);
      }
      awaited = 1;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      filled.signalAll();
      emptied.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosedAndEmpty() {
    lock.lock();
    try {
      return closed && values.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private boolean append(T value) {
    if (closed) {
      return false;
    }
    values.add(value);
    if (values.size() == awaited) {
      filled.signal();
    }
    return true;
  }

  /** The taker is told to stop by close alone. */
  @SuppressWarnings("WaitNotInLoop") // its caller loops
  private long await(long nanos) {
    try {
      return filled.awaitNanos(nanos);
    } catch (InterruptedException e) {
      return nanos;
    }
  }
}
