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
 * <p>Others judge the lock by the store's clock. The holder measures on its own monotonic clock,
 * from before the lock was taken and for a tenth less than the timeout, so it gives up before
 * anybody takes over, whatever happens to wall clocks.
 */
public record Claim(String ownerId, Instant lockedAt, Duration timeout, long startNanos) {

  private static final int SAFETY_DIVISOR = 10;
  private static final int RENEWAL_DIVISOR = 3;
  private static final long LONGEST_UNRENEWED_NANOS = Duration.ofSeconds(10).toNanos();

  public Claim {
    Require.notEmpty("ownerId", ownerId);
    Objects.requireNonNull(lockedAt, "lockedAt must not be null");
    Require.positive("timeout", timeout);
  }

  /** A claim that starts now. */
  public static Claim starting(String ownerId, Clock clock, Duration timeout) {
    long startNanos = System.nanoTime(); // read first: a pause shortens the claim
    Instant lockedAt = clock.instant().truncatedTo(ChronoUnit.MICROS);
    return new Claim(ownerId, lockedAt, timeout, startNanos);
  }

  /** The same right, from now on. */
  public Claim renewed(Clock clock) {
    return starting(ownerId, clock, timeout);
  }

  /** Rows locked before this moment are anybody's. */
  public Instant lockExpiry() {
    return lockedAt.minus(timeout);
  }

  /** When the holder gives up, on the clock of {@link System#nanoTime}. */
  public long deadlineNanos() {
    return startNanos + timeout.toNanos() - timeout.toNanos() / SAFETY_DIVISOR;
  }

  /** True once another node may be about to claim the same events. */
  public boolean isExpired() {
    return System.nanoTime() - deadlineNanos() >= 0;
  }

  /**
   * True from a third of the timeout on, which leaves time for a renewal that fails at first, and
   * from ten seconds on in any case: others may have a shorter timeout, and judge by theirs.
   */
  public boolean isAgeing() {
    return isOld(System.nanoTime() - startNanos);
  }

  /** Whether a claim with this timeout is ageing so long after its start. */
  public boolean isOld(long ageNanos) {
    return ageNanos >= Math.min(LONGEST_UNRENEWED_NANOS, timeout.toNanos() / RENEWAL_DIVISOR);
  }
}
