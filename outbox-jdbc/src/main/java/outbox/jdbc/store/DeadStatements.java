package outbox.jdbc.store;

import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate;
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
        WHERE {dead}
        ORDER BY created_at, event_id
        LIMIT ?
        """;
    if (limit <= 0) {
      return List.of();
    }
    DeadConditions dead =
        new DeadConditions(table).and("event_type", eventType).and("aggregate_type", aggregateType);
    Object[] parameters = dead.parametersAnd(limit);
    return table
        .attempt()
        .to(
            "query dead events",
            () -> JdbcTemplate.query(connection, dead.in(sql), table::event, parameters));
  }

  List<EventDetails> query(Connection connection, DeadQuery query) {
    String sql =
        """
        SELECT {allColumns}
        FROM {table}
        WHERE {dead}
        {order}
        LIMIT ?
        """
            .replace("{order}", DeadConditions.order(query.order()));
    DeadConditions dead = new DeadConditions(table).and(query);
    Object[] parameters = dead.parametersAnd(query.limit());
    return table
        .attempt()
        .to(
            "query dead events",
            () -> JdbcTemplate.query(connection, dead.in(sql), table::details, parameters));
  }

  int count(Connection connection, @Nullable String eventType) {
    String sql =
        """
        SELECT COUNT(*)
        FROM {table}
        WHERE {dead}
        """;
    DeadConditions dead = new DeadConditions(table).and("event_type", eventType);
    return count(connection, dead.in(sql), dead.parametersAnd());
  }

  int count(Connection connection, DeadFilter filter, int atMost) {
    String sql =
        """
        SELECT COUNT(*)
        FROM (SELECT event_id FROM {table} WHERE {dead} LIMIT ?) counted
        """;
    if (atMost <= 0) {
      return 0;
    }
    DeadConditions dead = new DeadConditions(table).and(filter);
    return count(connection, dead.in(sql), dead.parametersAnd(atMost));
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

  private int count(Connection connection, String sql, Object... parameters) {
    return table
        .attempt()
        .to(
            "count dead events",
            () -> JdbcTemplate.query(connection, sql, row -> row.getInt(1), parameters))
        .get(0);
  }
}
