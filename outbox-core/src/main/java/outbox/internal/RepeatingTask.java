package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import outbox.util.DaemonThreadFactory;
import outbox.util.Nullable;

/**
 * Runs a task on a daemon thread of its own, again and again, each time after the pause that the
 * last run asked for, or earlier when it is woken.
 *
 * <p>A run that throws is logged and followed by the pause for failures. Starting twice is
 * harmless, starting after close is refused, and close waits for the run under way.
 */
public final class RepeatingTask implements AutoCloseable {

  private static final Logger LOG = SafeLogger.of(RepeatingTask.class);
  private static final Duration FOREVER = Duration.ofDays(36_500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final String name;
  private final Supplier<Duration> task;
  private final Duration pauseAfterFailure;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Thread thread;
  private boolean closed;
  private long wakeAtNanos;

  public RepeatingTask(String name, Supplier<Duration> task, Duration pauseAfterFailure) {
    this.name = name;
    this.task = task;
    this.pauseAfterFailure = pauseAfterFailure;
  }

  /** True if this call started it. */
  public boolean start() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException(name + " is closed; build a new one to start again");
      }
      if (thread != null) {
        return false;
      }
      wakeAtNanos = System.nanoTime();
      thread = new DaemonThreadFactory("outbox-" + name + "-").newThread(this::loop);
      thread.start();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Has the next run begin at once, or right after the one under way. */
  public void wake() {
    wakeAfter(Duration.ZERO);
  }

  /** Has the next run begin after this delay at the latest. */
  public void wakeAfter(Duration delay) {
    long nanos = delay.compareTo(FOREVER) < 0 ? delay.toNanos() : FOREVER.toNanos();
    long at = System.nanoTime() + nanos;
    lock.lock();
    try {
      if (at - wakeAtNanos < 0) {
        wakeAtNanos = at;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  public boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      running = thread;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (running != null && running != Thread.currentThread()) {
      join(running);
    }
  }

  private void join(Thread running) {
    try {
      running.join(CLOSE_TIMEOUT.toMillis());
      if (running.isAlive()) {
        LOG.log(Level.WARNING, "{0} is still running after close; its last run hangs", name);
        running.interrupt();
      }
    } catch (InterruptedException e) {
      running.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void loop() {
    while (awaitTurn()) {
      Duration pause = run();
      wakeAfter(pause);
    }
  }

  /** From here on a wake counts for the next run; until the task says more, that is far away. */
  private boolean awaitTurn() {
    lock.lock();
    try {
      for (long left; !closed && (left = wakeAtNanos - System.nanoTime()) > 0; ) {
        pause(left);
      }
      wakeAtNanos = System.nanoTime() + FOREVER.toNanos();
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Only close ends the loop; an interrupt that some user code left behind just wakes it. */
  @SuppressWarnings("WaitNotInLoop") // its caller loops
  private void pause(long nanos) {
    try {
      changed.awaitNanos(nanos);
    } catch (InterruptedException e) {
      wakeAtNanos = System.nanoTime();
    }
  }

  private Duration run() {
    try {
      return task.get();
    } catch (Throwable e) {
      LOG.log(Level.ERROR, name + " failed; it runs again in " + pauseAfterFailure, e);
      return pauseAfterFailure;
    }
  }
}
