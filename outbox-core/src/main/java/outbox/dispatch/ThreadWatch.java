package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import outbox.internal.SafeLogger;

/**
 * Interrupts a thread that delivers for too long, and never after that delivery. If the listener
 * takes no notice, says so once and lets other nodes have the events when their claims expire.
 */
final class ThreadWatch implements Watch {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);
  private static final Duration LONGEST_GRACE = Duration.ofSeconds(5);

  private final Thread thread;
  private final List<Delivery> deliveries;
  private final Duration timeout;
  private long dueNanos;
  private boolean isOver;
  private boolean isInterrupted;
  private boolean isGivenUp;

  ThreadWatch(Thread thread, List<Delivery> deliveries, Duration timeout) {
    this.thread = thread;
    this.deliveries = deliveries;
    this.timeout = timeout;
    dueNanos = System.nanoTime() + timeout.toNanos();
  }

  /** The delivery has ended; true if that was too late. */
  synchronized boolean over() {
    isOver = true;
    return isInterrupted;
  }

  @Override
  public synchronized long look(long nowNanos) {
    if (isOver || isGivenUp) {
      return NEVER;
    }
    if (nowNanos - dueNanos < 0) {
      return dueNanos - nowNanos;
    }
    return isInterrupted ? giveUp() : interrupt(nowNanos);
  }

  private long interrupt(long nowNanos) {
    isInterrupted = true;
    thread.interrupt();
    long grace = Math.min(timeout.toNanos(), LONGEST_GRACE.toNanos());
    dueNanos = nowNanos + grace;
    return grace;
  }

  private long giveUp() {
    isGivenUp = true;
    deliveries.forEach(Delivery::letGo);
    LOG.log(
        Level.WARNING,
        () ->
            "listener ignores the interrupt after its dispatch timeout of %s; it keeps its worker, and other nodes get its events when their claims expire: events=%d first: %s"
                .formatted(timeout, deliveries.size(), deliveries.get(0).describe()));
    return NEVER;
  }
}
