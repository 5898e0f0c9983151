package outbox.internal;

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

  /** An answer that took longer says little, and is taken only for want of a better one. */
  private static final long SLOW_NANOS = Duration.ofMillis(250).toNanos();

  private final Clock system = Clock.systemUTC();
  private volatile @Nullable Reading last;
  private volatile boolean unknown;

  /** What the clock showed at some moment between two of the monotonic clock. */
  private record Reading(Instant time, long askedNanos, long answeredNanos) {

    Instant earliest() {
      return time.plusNanos(System.nanoTime() - answeredNanos);
    }

    Instant latest() {
      return time.plusNanos(System.nanoTime() - askedNanos);
    }

    boolean isOld() {
      return System.nanoTime() - answeredNanos >= PERIOD_NANOS;
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
    if (unknown || (before != null && !before.isOld())) {
      return;
    }
    long asked = System.nanoTime();
    Instant time;
    try {
      time = question.ask(connection);
    } catch (SQLException | RuntimeException e) {
      if (SqlErrors.isConnectionFailure(e)) {
        throw e;
      }
      unknown = true; // a database that only resembles the one that the question is for
      return;
    }
    long answered = System.nanoTime();
    if (before == null || answered - asked < SLOW_NANOS) {
      last = new Reading(time, asked, answered);
    }
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
