package outbox.destination;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many events per second pass, and tells the others when to come back: spread over as long
 * as it takes until all that were put off have had their turn.
 */
final class Quota {

  private final int rate;
  private final RateLimiter limiter;
  private final Clock clock;
  private double waiting;
  private long countedAtMillis;

  /** Null if any number may pass. */
  static @Nullable Quota of(String name, GuardSettings settings) {
    Integer rate = settings.rate();
    return rate == null ? null : new Quota(name, rate, settings.spans());
  }

  private Quota(String name, int rate, Clock clock) {
    this.rate = rate;
    this.clock = clock;
    countedAtMillis = clock.millis();
    limiter =
        RateLimiter.of(
            name,
            RateLimiterConfig.custom()
                .limitForPeriod(rate)
                .limitRefreshPeriod(Duration.ofSeconds(1))
                .timeoutDuration(Duration.ZERO)
                .writableStackTraceEnabled(false)
                .build());
  }

  /** As many as may pass now, at most those wanted. */
  int take(int wanted) {
    for (int n = free(wanted); n > 0; n = free(wanted)) {
      if (limiter.acquirePermission(n)) {
        return n;
      }
    }
    return 0;
  }

  /** Over how long these events, and those put off before them, have to be spread. */
  synchronized Duration spread(int events) {
    long now = clock.millis();
    waiting = Math.max(0, waiting - rate * Math.max(0, now - countedAtMillis) / 1000.0) + events;
    countedAtMillis = now;
    return Duration.ofMillis((long) (waiting / rate * 1000));
  }

  private int free(int wanted) {
    return Math.min(wanted, limiter.getMetrics().getAvailablePermissions());
  }

  static Duration within(Duration spread) {
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(spread.toMillis() + 1));
  }
}
