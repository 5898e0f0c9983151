package outbox.dispatch;

import java.util.concurrent.ThreadLocalRandom;
import outbox.internal.Require;

/**
 * Doubles the delay with every try up to a maximum, and spreads it by a random factor between 0.5
 * and 1.5.
 *
 * <p>Base 200 ms with maximum 60 s gives 0.2, 0.4, 0.8, 1.6 … 51.2, 60, 60 s before the spread.
 */
public final class ExponentialBackoffRetryPolicy implements RetryPolicy {

  private final long baseDelayMs;
  private final long maxDelayMs;

  public ExponentialBackoffRetryPolicy(long baseDelayMs, long maxDelayMs) {
    this.baseDelayMs = Require.atLeast(0L, "baseDelayMs", baseDelayMs);
    this.maxDelayMs = Require.atLeast(0L, "maxDelayMs", maxDelayMs);
  }

  @Override
  public long computeDelayMs(int attempts) {
    if (attempts <= 0 || baseDelayMs == 0 || maxDelayMs == 0) {
      return 0;
    }
    double delay = Math.min((double) maxDelayMs, baseDelayMs * Math.pow(2, attempts - 1));
    double spread = ThreadLocalRandom.current().nextDouble(0.5, 1.5);
    return Math.max(1, (long) (delay * spread));
  }
}
