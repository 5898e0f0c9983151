package outbox.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock, read now and then and carried on by this process's monotonic clock in
 * between, so that neither a wrong nor a changed wall clock here matters. Until it is first aligned
 * it is the system's clock.
 */
public final class DatabaseClock extends Clock {

  private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

  /** An answer that took longer says little, and is taken only for want of a better one. */
  private static final long SLOW_NANOS = Duration.ofMillis(250).toNanos();

  private final Clock system = Clock.systemUTC();
  private volatile @Nullable Reading last;

  /** What the clock showed at a moment of the monotonic clock. */
  private record Reading(Instant time, long nanos) {

    Instant now() {
      return time.plusNanos(System.nanoTime() - nanos);
    }

    boolean isOld() {
      return System.nanoTime() - nanos >= PERIOD_NANOS;
    }
  }

  /** Asks the database for its time. */
  @FunctionalInterface
  public interface Question {
    Instant ask(Connection connection) throws SQLException;
  }

  /** Costs a statement once a minute. */
  public void align(Connection connection, Question question) throws SQLException {
    Reading before = last;
    if (before != null && !before.isOld()) {
      return;
    }
    long asked = System.nanoTime();
    Instant time = question.ask(connection);
    long took = System.nanoTime() - asked;
    if (before == null || took < SLOW_NANOS) {
      last = new Reading(time, asked + took / 2);
    }
  }

  @Override
  public Instant instant() {
    Reading reading = last;
    return reading == null ? system.instant() : reading.now();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return Clock.offset(system, Duration.between(system.instant(), instant())).withZone(zone);
  }
}
