package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import outbox.util.Nullable;

/** Says at most every ten seconds what happens often, with the number of times since the last. */
public final class RateLimitedLog {

  private static final long PERIOD_NANOS = Duration.ofSeconds(10).toNanos();

  private final Logger log;
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());

  public RateLimitedLog(Logger log) {
    this.log = log;
  }

  /** Logs a WARNING made from the count, or just counts. */
  public void warn(long times, LongFunction<String> message) {
    warn(times, message, null);
  }

  /** Likewise, with the latest cause. */
  public void warn(long times, LongFunction<String> message, @Nullable Throwable cause) {
    count.addAndGet(times);
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next >= 0 && nextNanos.compareAndSet(next, now + PERIOD_NANOS)) {
      log.log(Level.WARNING, () -> message.apply(count.getAndSet(0)), cause);
    }
  }
}
