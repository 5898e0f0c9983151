package outbox.dead;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a replay or discard of many events from another thread: the batch under way is finished and
 * no other begins. Once given it holds for ever; safe for all threads.
 */
public final class StopSignal {

  private final CountDownLatch stopped = new CountDownLatch(1);

  public void stop() {
    stopped.countDown();
  }

  public boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /** Waits this long, or until it is stopped; true if that, or an interrupt, came first. */
  boolean comesWithin(Duration wait) {
    try {
      return stopped.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
