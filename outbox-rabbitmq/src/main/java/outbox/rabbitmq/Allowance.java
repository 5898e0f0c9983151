package outbox.rabbitmq;

import java.time.Duration;

/**
 * Time that may be spent on questions: a tenth of what passes, and three seconds at once. For one
 * thread.
 */
final class Allowance {

  private static final long MOST = Duration.ofSeconds(3).toNanos();
  private static final int SHARE = 10;

  private long left = MOST;
  private long seen = System.nanoTime();

  boolean isLeft() {
    refill();
    return left > 0;
  }

  void spend(Duration time) {
    refill();
    left -= time.toNanos();
  }

  private void refill() {
    long now = System.nanoTime();
    left = Math.min(MOST, left + (now - seen) / SHARE);
    seen = now;
  }
}
