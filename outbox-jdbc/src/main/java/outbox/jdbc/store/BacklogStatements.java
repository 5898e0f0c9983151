package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.internal.Require;
import outbox.jdbc.JdbcTemplate;
import outbox.model.DeadFilter;
import outbox.spi.Backlog;

/**
 * Counts what has not been delivered. Reads no more rows than the limit, along the index of pending
 * rows, so that neither finished rows nor a long backlog make it slow.
 */
final class BacklogStatements {

  private final EventTable table;
  private final DeadStatements dead;

  BacklogStatements(EventTable table, DeadStatements dead) {
    this.table = table;
    this.dead = dead;
  }

  /** Of the rows that one condition finds. */
  private record Part(int pending, int retrying, int locked, @Nullable Instant lateSince) {}

  Backlog read(Connection connection, int atMost) {
    Require.atLeast(1, "atMost", atMost);
    List<Part> parts = new ArrayList<>();
    for (String condition : table.pendingConditions()) {
      parts.add(part(connection, condition, atMost));
    }
    return new Backlog(
        Math.min(atMost, parts.stream().mapToInt(Part::pending).sum()),
        parts.stream().mapToInt(Part::retrying).sum(),
        parts.stream().mapToInt(Part::locked).sum(),
        dead.count(connection, DeadFilter.all(), atMost),
        parts.stream()
            .map(Part::lateSince)
            .filter(Objects::nonNull)
            .min(Instant::compareTo)
            .orElse(null),
        table.now());
  }

  /** What failed is late since it was written, and the rest since it fell due. */
  private Part part(Connection connection, String condition, int limit) {
    String sql =
        """
        SELECT COUNT(*) AS pending, COUNT(locked_by) AS locked,
          COUNT(CASE WHEN status = 2 THEN 1 END) AS retrying,
          MIN(CASE WHEN attempts = 0 THEN available_at ELSE created_at END) AS late_since
        FROM (
          SELECT status, attempts, available_at, created_at, locked_by
          FROM {table}
          WHERE {condition}
          ORDER BY {order}
          LIMIT ?
        ) looked_at
        """
            .replace("{condition}", condition);
    return table
        .run(
            "count pending events",
            () -> JdbcTemplate.query(connection, table.sql(sql), this::part, limit))
        .get(0);
  }

  private Part part(ResultSet row) throws SQLException {
    int pending = row.getInt("pending");
    return new Part(
        pending,
        row.getInt("retrying"),
        row.getInt("locked"),
        pending == 0 ? null : table.time(row, "late_since"));
  }
}
