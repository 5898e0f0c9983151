package outbox.destination.internal;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/**
 * Starts with a moment and goes on with {@link System#nanoTime}: nobody sets it, so that a span is
 * as long as it takes. What it shows is not the time of day after that was corrected.
 */
public final class MonotonicClock extends Clock {

  private final Instant start;
  private final LongSupplier nanos;
  private final long startNanos;
  private final ZoneId zone;

  public MonotonicClock(Instant start, LongSupplier nanos) {
    this(start, nanos, nanos.getAsLong(), ZoneOffset.UTC);
  }

  private MonotonicClock(Instant start, LongSupplier nanos, long startNanos, ZoneId zone) {
    this.start = start;
    this.nanos = nanos;
    this.startNanos = startNanos;
    this.zone = zone;
  }

  /** From this clock's moment on. */
  public static MonotonicClock startingWith(Clock timeOfDay) {
    return new MonotonicClock(timeOfDay.instant(), System::nanoTime);
  }

  @Override
  public Instant instant() {
    return start.plusNanos(nanos.getAsLong() - startNanos);
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new MonotonicClock(start, nanos, startNanos, other);
  }
}
