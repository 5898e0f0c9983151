package outbox.jdbc.store;

import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.internal.Condition;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;

/** Lists, counts and replays dead events. */
final class DeadStatements {

  private final EventTable table;

  DeadStatements(EventTable table) {
    this.table = table;
  }

  List<OutboxEvent> query(
      Connection connection,
      @Nullable String eventType,
      @Nullable String aggregateType,
      int limit) {
    String sql =
        """
        SELECT {columns}
        FROM {table}
        WHERE {where}
        ORDER BY created_at, event_id
        LIMIT ?
        """;
    if (limit <= 0) {
      return List.of();
    }
    Condition dead =
        DeadConditions.DEAD
            .and("event_type = ?", eventType)
            .and("aggregate_type = ?", aggregateType);
    return table.run(
        "query dead events",
        () ->
            JdbcTemplate.query(
                connection, table.sql(dead.in(sql)), table::event, dead.before(limit)));
  }

  List<EventDetails> query(Connection connection, DeadQuery query) {
    String sql =
        """
        SELECT {allColumns}
        FROM {table}
        WHERE {where}
        {order}
        LIMIT ?
        """
            .replace("{order}", DeadConditions.order(query.order()));
    Condition dead = new DeadConditions(table).of(query);
    return table.run(
        "query dead events",
        () ->
            JdbcTemplate.query(
                connection, table.sql(dead.in(sql)), table::details, dead.before(query.limit())));
  }

  int count(Connection connection, @Nullable String eventType) {
    String sql =
        """
        SELECT COUNT(*)
        FROM {table}
        WHERE {where}
        """;
    return count(connection, sql, DeadConditions.DEAD.and("event_type = ?", eventType));
  }

  int count(Connection connection, DeadFilter filter, int atMost) {
    String sql =
        """
        SELECT COUNT(*)
        FROM (SELECT event_id FROM {table} WHERE {where} LIMIT ?) counted
        """;
    if (atMost <= 0) {
      return 0;
    }
    return count(connection, sql, new DeadConditions(table).of(filter), atMost);
  }

  int replay(Connection connection, String eventId) {
    String sql =
        """
        UPDATE {table}
        SET status = 0, attempts = 0, available_at = ?, done_at = NULL, last_error = NULL,
            locked_by = NULL, locked_at = NULL
        WHERE event_id = ? AND status = 3
        """;
    return table.update(
        "replay event " + eventId, connection, sql, table.time(table.now()), eventId);
  }

  private int count(Connection connection, String template, Condition dead, Object... more) {
    String sql = table.sql(dead.in(template));
    return table
        .run(
            "count dead events",
            () -> JdbcTemplate.query(connection, sql, row -> row.getInt(1), dead.before(more)))
        .get(0);
  }
}
