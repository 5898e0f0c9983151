package outbox.jdbc.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/** Reads events from rows, with a database's own way to read times. */
public record EventRows(TimeReader times) {

  /** What {@link #event} reads. */
  public static final String COLUMNS =
      "event_id, event_type, aggregate_type, aggregate_id, tenant_id, payload, headers, attempts,"
          + " created_at";

  /**
   * Likewise, without the payload of rows that weigh more than the two parameters say, which are
   * the same, and without headers that do so by themselves. Other rows all have a payload.
   */
  public static final String LIGHT_COLUMNS =
      COLUMNS.replace(
          "payload, headers",
          "CASE WHEN {weight} <= ? THEN payload END AS payload,"
              + " CASE WHEN {headersLength} <= ? THEN headers END AS headers");

  /** What {@link #details} reads. */
  public static final String ALL_COLUMNS =
      COLUMNS + ", status, available_at, done_at, last_error, locked_by, locked_at";

  /** Reads a time in UTC. */
  @FunctionalInterface
  public interface TimeReader {
    @Nullable Instant read(ResultSet row, String column) throws SQLException;
  }

  public OutboxEvent event(ResultSet row) throws SQLException {
    return new OutboxEvent(
        row.getString("event_id"),
        row.getString("event_type"),
        row.getString("aggregate_type"),
        row.getString("aggregate_id"),
        row.getString("tenant_id"),
        row.getString("payload"),
        row.getString("headers"),
        row.getInt("attempts"),
        requiredTime(row, "created_at"));
  }

  public EventDetails details(ResultSet row) throws SQLException {
    return new EventDetails(
        event(row),
        EventStatus.of(row.getInt("status")),
        requiredTime(row, "available_at"),
        times.read(row, "done_at"),
        row.getString("last_error"),
        row.getString("locked_by"),
        times.read(row, "locked_at"));
  }

  /** For columns that are never null. */
  public Instant requiredTime(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(times.read(row, column), column);
  }
}
