package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.internal.Condition;

/**
 * Deletes rows of blocks whose events are not dead any more. An event may die again at the same
 * moment: then its row has another time, and stays.
 */
final class BlockLeftovers {

  private final OrderedTables tables;

  BlockLeftovers(OrderedTables tables) {
    this.tables = tables;
  }

  private record Row(String eventId, Instant blockedAt, boolean blocks) {}

  Optional<String> clear(Connection connection, String relay, String after, int limit) {
    return tables.run(
        "delete what is left of blocks in relay " + relay,
        () -> {
          List<Row> rows = read(connection, relay, after, limit);
          List<Row> leftovers = rows.stream().filter(row -> !row.blocks()).toList();
          for (List<Row> chunk : tables.events().oneOf().chunks(leftovers)) {
            tables.events().beforeLocking(connection);
            tables
                .events()
                .lockWait()
                .during(connection, null, limited -> delete(limited, relay, chunk));
          }
          return rows.size() < limit
              ? Optional.empty()
              : Optional.of(rows.get(rows.size() - 1).eventId());
        });
  }

  private List<Row> read(Connection connection, String relay, String after, int limit) {
    String sql =
        """
        SELECT step.event_id, step.blocked_at,
          CASE WHEN event.status = 3 THEN 1 ELSE 0 END AS blocks
        FROM (
          SELECT event_id, blocked_at
          FROM {blocked}
          WHERE relay = ? AND event_id > ?
          ORDER BY event_id
          LIMIT ?
        ) step LEFT JOIN {table} event ON event.event_id = step.event_id
        ORDER BY step.event_id
        """;
    return JdbcTemplate.query(
        connection, tables.sql(sql), this::row, tables.relay(relay), after, limit);
  }

  /** InnoDB locks what it looks at there, and whoever waits for that here renews the leases. */
  private int delete(Connection connection, String relay, List<Row> leftovers) {
    String sql =
        """
        DELETE FROM {blocked}
        WHERE relay = ? AND {where} AND NOT EXISTS (
          SELECT 1 FROM {table} event WHERE event.event_id = {blocked}.event_id AND status = 3
        )
        """;
    Condition where =
        tables
            .events()
            .oneOf()
            .condition("event_id", leftovers.stream().map(Row::eventId).toList())
            .and(tables.events().oneOf().condition("blocked_at", times(leftovers)));
    Condition limited = tables.events().lockWait().within(connection, where);
    return JdbcTemplate.update(
        connection, tables.sql(limited.in(sql)), limited.between(List.of(tables.relay(relay))));
  }

  private List<Object> times(List<Row> leftovers) {
    return leftovers.stream().map(Row::blockedAt).distinct().map(tables.events()::time).toList();
  }

  private Row row(ResultSet row) throws SQLException {
    return new Row(
        row.getString("event_id"),
        tables.events().time(row, "blocked_at"),
        row.getInt("blocks") == 1);
  }
}
