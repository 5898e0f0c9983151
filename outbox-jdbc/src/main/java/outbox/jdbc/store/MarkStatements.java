package outbox.jdbc.store;

import java.sql.Connection;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.internal.ErrorText;

/** Writes how a try ended; rows in a final state stay as they are. */
final class MarkStatements {

  private final EventTable table;

  MarkStatements(EventTable table) {
    this.table = table;
  }

  int done(Connection connection, String eventId) {
    String sql =
        """
        UPDATE {table}
        SET status = 1, done_at = ?, locked_by = NULL, locked_at = NULL
        WHERE event_id = ? AND status NOT IN (1, 3)
        """;
    return table.update(
        "mark event " + eventId + " DONE", connection, sql, table.time(table.now()), eventId);
  }

  int retry(Connection connection, String eventId, Instant nextAt, @Nullable String error) {
    String sql =
        """
        UPDATE {table}
        SET status = 2, attempts = attempts + 1, available_at = ?, last_error = ?,
            locked_by = NULL, locked_at = NULL
        WHERE event_id = ? AND status NOT IN (1, 3)
        """;
    return table.update(
        "mark event " + eventId + " RETRY",
        connection,
        sql,
        table.time(nextAt),
        errorText(error),
        eventId);
  }

  int dead(Connection connection, String eventId, @Nullable String error) {
    String sql =
        """
        UPDATE {table}
        SET status = 3, attempts = attempts + 1, done_at = ?, last_error = ?,
            locked_by = NULL, locked_at = NULL
        WHERE event_id = ? AND status NOT IN (1, 3)
        """;
    return table.update(
        "mark event " + eventId + " DEAD",
        connection,
        sql,
        table.time(table.now()),
        errorText(error),
        eventId);
  }

  private static @Nullable String errorText(@Nullable String error) {
    return error == null ? null : ErrorText.truncate(error);
  }
}
