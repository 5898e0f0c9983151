package outbox.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is moved; safe for all threads. */
public final class MutableClock extends Clock {

  private final AtomicReference<Instant> now;
  private final ZoneId zone;

  public MutableClock(Instant now) {
    this(new AtomicReference<>(now), ZoneOffset.UTC);
  }

  private MutableClock(AtomicReference<Instant> now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

  /** Moves on by this much, or back if it is negative. */
  public void advance(Duration step) {
    now.updateAndGet(before -> before.plus(step));
  }

  public void set(Instant instant) {
    now.set(instant);
  }

  @Override
  public Instant instant() {
    return Objects.requireNonNull(now.get());
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  /** Shows the same time, and moves with this clock. */
  @Override
  public Clock withZone(ZoneId zone) {
    return new MutableClock(now, zone);
  }
}
