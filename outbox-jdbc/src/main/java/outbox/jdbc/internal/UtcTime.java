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

/** Reads and writes times without a thought for the JVM's zone. */
public final class UtcTime {

  private static final int TEXT_LENGTH = "2026-01-01 00:00:00.000000".length();

  private UtcTime() {}

  /**
   * As MySQL and MariaDB write what is in a DATETIME(6); in half the time of {@link
   * Instant#toString}.
   */
  public static String text(Instant time) {
    LocalDateTime utc = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    StringBuilder text = new StringBuilder(TEXT_LENGTH).append(utc.toLocalDate()).append(' ');
    append(text, utc.getHour(), 10).append(':');
    append(text, utc.getMinute(), 10).append(':');
    append(text, utc.getSecond(), 10).append('.');
    return append(text, utc.getNano() / 1_000, 100_000).toString();
  }

  /** With zeros in front, as many as there are places below the first one's value. */
  private static StringBuilder append(StringBuilder text, int number, int firstPlace) {
    for (int place = firstPlace; place > 1 && number < place; place /= 10) {
      text.append('0');
    }
    return text.append(number);
  }

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
