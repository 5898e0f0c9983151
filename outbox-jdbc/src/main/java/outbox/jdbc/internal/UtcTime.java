package outbox.jdbc.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/** Reads times without a thought for the JVM's zone. */
public final class UtcTime {

  private UtcTime() {}

  /** From a column that holds a date and time in UTC. */
  public static @Nullable Instant dateTime(ResultSet row, String column) throws SQLException {
    LocalDateTime time = row.getObject(column, LocalDateTime.class);
    return time == null ? null : time.toInstant(ZoneOffset.UTC);
  }

  /** From PostgreSQL's timestamptz, or from a timestamp that holds UTC. */
  public static @Nullable Instant timestamp(ResultSet row, String column) throws SQLException {
    Calendar utc = Calendar.getInstance(TimeZone.getTimeZone(ZoneOffset.UTC));
    Timestamp time = row.getTimestamp(column, utc);
    return time == null ? null : time.toInstant();
  }
}
