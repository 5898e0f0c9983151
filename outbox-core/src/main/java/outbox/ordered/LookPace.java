package outbox.ordered;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Has a look made as often as one likes while it is cheap, and in a hundredth of the time while it
 * is not, but once a minute. The cheaper one of the last two tells what a look costs: a single one
 * that takes long may have waited for somebody, or have been the first thing that a process did.
 */
final class LookPace {

  private static final int MOST_OFTEN = 100;
  private static final long LONGEST_PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private long nextNanos;
  private long lastCostNanos;

  LookPace(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    nextNanos = nanoTime.getAsLong();
  }

  boolean isDue() {
    return nanoTime.getAsLong() - nextNanos >= 0;
  }

  /** A look was made that began at this moment. */
  void looked(long startNanos) {
    long now = nanoTime.getAsLong();
    long costNanos = now - startNanos;
    long cheaper = Math.min(costNanos, lastCostNanos);
    nextNanos = now + Math.min(LONGEST_PAUSE_NANOS, MOST_OFTEN * cheaper);
    lastCostNanos = costNanos;
  }
}
