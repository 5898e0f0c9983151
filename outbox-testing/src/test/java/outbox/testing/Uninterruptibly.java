package outbox.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits like code that takes no notice of interrupts. */
public final class Uninterruptibly {

  private Uninterruptibly() {}

  /** True if the latch was opened in time. */
  public static boolean await(CountDownLatch latch, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        return latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        // goes on waiting
      }
    }
  }
}
