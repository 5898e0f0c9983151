package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import outbox.util.Nullable;

/**
 * The database's clock, read now and then and carried on by this process's monotonic clock in
 * between, so that neither a wrong nor a changed wall clock here matters. Until it is first aligned
 * it is the system's clock.
 *
 * <p>How long an answer was under way is not known, so there are two readings: {@link #instant} is
 * never ahead of the database, and what is stamped by it has come by {@link #latest(Clock)}, which
 * is never behind, in any process.
 */
public final class DatabaseClock extends Clock {

  private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

  /**
   * An answer that took longer says little, and is taken only for want of a better one, which is
   * asked for soon.
   */
  private static final long SLOW_NANOS = Duration.ofMillis(250).toNanos();

  private static final long SOON_NANOS = Duration.ofSeconds(1).toNanos();

  /** Wall clocks are set by less; a monotonic clock that stood still missed more. */
  private static final long STANDSTILL_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Logger LOG = SafeLogger.of(DatabaseClock.class);

  private final Clock system;
  private volatile @Nullable Reading last;
  private volatile @Nullable Moment asked;
  private volatile boolean unknown;

  public DatabaseClock() {
    this(Clock.systemUTC());
  }

  /** Takes another clock for this machine's wall clock. */
  public DatabaseClock(Clock system) {
    this.system = system;
  }

  /** A moment on both clocks of this process. */
  private record Moment(Instant wall, long nanos) {

    Moment(Clock clock) {
      this(clock.instant(), System.nanoTime());
    }

    /** Also true if the machine was suspended or its wall clock set meanwhile. */
    boolean isOld(Clock clock, long periodNanos) {
      long elapsed = System.nanoTime() - nanos;
      long wallElapsed = Duration.between(wall, clock.instant()).toNanos();
      return elapsed >= periodNanos || Math.abs(wallElapsed - elapsed) >= STANDSTILL_NANOS;
    }
  }

  /** What the clock showed at some moment between two of the monotonic clock. */
  private record Reading(Instant time, long askedNanos, long answeredNanos) {

    long took() {
      return answeredNanos - askedNanos;
    }

    boolean isSlow() {
      return took() >= SLOW_NANOS;
    }

    Instant earliest() {
      return time.plusNanos(System.nanoTime() - answeredNanos);
    }

    Instant latest() {
      return time.plusNanos(System.nanoTime() - askedNanos);
    }
  }

  /** Asks the database for its time. */
  @FunctionalInterface
  public interface Question {
    Instant ask(Connection connection) throws SQLException;
  }

  /** Whether {@link #align} would ask. */
  public boolean isDue() {
    Moment before = asked;
    return !unknown && (before == null || before.isOld(system, period()));
  }

  /** Costs a statement once a minute, whatever becomes of it; once a second while it is slow. */
  public void align(Connection connection, Question question) throws SQLException {
    if (!isDue()) {
      return;
    }
    Moment now = new Moment(system);
    try {
      Instant time = question.ask(connection);
      answered(new Reading(time, now.nanos(), System.nanoTime()));
    } catch (SQLException | RuntimeException e) {
      if (SqlErrors.isConnectionFailure(e)) {
        throw e;
      }
      failed(e);
    }
    asked = now;
  }

  private long period() {
    Reading reading = last;
    return reading != null && reading.isSlow() ? SOON_NANOS : PERIOD_NANOS;
  }

  /** A slow one also follows one that is so old that the two clocks may have drifted apart. */
  private void answered(Reading reading) {
    Reading before = last;
    if (before == null
        || !reading.isSlow()
        || reading.took() < before.took()
        || reading.answeredNanos() - before.answeredNanos() >= PERIOD_NANOS) {
      last = reading;
    }
  }

  private void failed(Exception failure) {
    unknown = SqlErrors.isBadStatement(failure);
    LOG.log(
        Level.WARNING,
        () ->
            "database doesn't tell its time, so leases go by the clock %s: %s"
                .formatted(unknown ? "of this machine" : "as it was last known", failure));
  }

  @Override
  public Instant instant() {
    Reading reading = last;
    return reading == null ? system.instant() : reading.earliest();
  }

  /** Now, by a clock that may be a database's: all that it has stamped anywhere has come. */
  public static Instant latest(Clock clock) {
    Reading reading = clock instanceof DatabaseClock database ? database.last : null;
    return reading == null ? clock.instant() : reading.latest();
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
