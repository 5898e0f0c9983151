package outbox.spi;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import outbox.internal.Require;

/**
 * A node's right to deliver events, from the moment they are locked until the lock could expire.
 *
 * <p>The end is measured on this process's monotonic clock from before the lock was taken, so a
 * holder gives up no later than others may take over, whatever happens to the wall clock.
 */
public record Claim(String ownerId, Instant lockedAt, long deadlineNanos) {

  public Claim {
    Require.notEmpty("ownerId", ownerId);
    Objects.requireNonNull(lockedAt, "lockedAt must not be null");
  }

  /** A claim that starts now. */
  public static Claim starting(String ownerId, Clock clock, Duration timeout) {
    long deadlineNanos = System.nanoTime() + timeout.toNanos(); // read first: a pause shortens it
    return new Claim(ownerId, clock.instant().truncatedTo(ChronoUnit.MICROS), deadlineNanos);
  }

  /** True once another node may have claimed the same events. */
  public boolean isExpired() {
    return System.nanoTime() - deadlineNanos >= 0;
  }
}
