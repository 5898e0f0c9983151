package outbox.jdbc.store;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate;
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
        WHERE status = 3{filter}
        ORDER BY created_at, event_id
        LIMIT ?
        """;
    if (limit <= 0) {
      return List.of();
    }
    Filter filter = new Filter().and("event_type", eventType).and("aggregate_type", aggregateType);
    Object[] parameters = filter.parametersAnd(limit);
    return table
        .attempt()
        .to(
            "query dead events",
            () ->
                JdbcTemplate.query(
                    connection, table.sql(filter.in(sql)), table::event, parameters));
  }

  int count(Connection connection, @Nullable String eventType) {
    String sql =
        """
        SELECT COUNT(*)
        FROM {table}
        WHERE status = 3{filter}
        """;
    Filter filter = new Filter().and("event_type", eventType);
    return table
        .attempt()
        .to(
            "count dead events",
            () ->
                JdbcTemplate.query(
                    connection,
                    table.sql(filter.in(sql)),
                    row -> row.getInt(1),
                    filter.parametersAnd()))
        .get(0);
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

  /** Conditions on columns, for those values that are given. */
  private static final class Filter {

    private final StringBuilder conditions = new StringBuilder();
    private final List<Object> values = new ArrayList<>();

    Filter and(String column, @Nullable String value) {
      if (value != null) {
        conditions.append(" AND ").append(column).append(" = ?");
        values.add(value);
      }
      return this;
    }

    String in(String template) {
      return template.replace("{filter}", conditions);
    }

    Object[] parametersAnd(Object... more) {
      List<Object> all = new ArrayList<>(values);
      all.addAll(List.of(more));
      return all.toArray();
    }
  }
}
