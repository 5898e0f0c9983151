package outbox.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import outbox.internal.RepeatingTask;
import outbox.util.Nullable;

/**
 * Ends what takes longer than the dispatch timeout. One thread looks after all deliveries, and
 * sleeps until the first of them can be due.
 */
final class Watchdog implements AutoCloseable {

  private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(1).toNanos();

  private final Duration timeout;
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private final RepeatingTask task;

  private Watchdog(Duration timeout) {
    this.timeout = timeout;
    task = new RepeatingTask("watchdog", this::look, timeout);
  }

  /** Null without a timeout: nothing is watched then. */
  static @Nullable Watchdog of(@Nullable Duration timeout) {
    return timeout == null ? null : new Watchdog(timeout);
  }

  void start() {
    task.start();
  }

  @Override
  public void close() {
    task.close();
  }

  Duration timeout() {
    return timeout;
  }

  /** Has the calling thread interrupted if it delivers these events for too long. */
  ThreadWatch watchThread(List<Delivery> deliveries) {
    ThreadWatch watch = new ThreadWatch(Thread.currentThread(), deliveries, timeout);
    watches.add(watch);
    return watch;
  }

  /** Has this done if it is not forgotten in time. */
  Watch watch(Runnable tooLate) {
    long dueNanos = System.nanoTime() + timeout.toNanos();
    Watch watch =
        new Watch() {
          @Override
          public long look(long nowNanos) {
            if (nowNanos - dueNanos < 0) {
              return dueNanos - nowNanos;
            }
            forget(this);
            tooLate.run();
            return NEVER;
          }
        };
    watches.add(watch);
    return watch;
  }

  void forget(Watch watch) {
    watches.remove(watch);
  }

  /** All have the same timeout, so what comes after this look is due after the next. */
  private Duration look() {
    long now = System.nanoTime();
    long pause = timeout.toNanos();
    for (Watch watch : watches) {
      pause = Math.min(pause, watch.look(now));
    }
    return Duration.ofNanos(Math.max(SHORTEST_PAUSE_NANOS, pause));
  }
}
