package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.internal.Condition;
import outbox.model.BlockedKey;
import outbox.model.EventDetails;
import outbox.model.EventKey;

/**
 * Lists the aggregates that wait, for people. What waits behind them is looked for among so many
 * pending events, so that a long backlog doesn't make it slow.
 */
final class BlockedKeys {

  private static final int MOST_LOOKED_AT = 100_000;

  private static final String DEAD =
      """
      SELECT {allColumns}, blocked_at AS since
      FROM {table} JOIN (
        SELECT event_id AS blocked_id, blocked_at FROM {blocked} WHERE relay = ?
      ) blocked ON blocked_id = event_id
      WHERE status = 3 AND aggregate_id IS NOT NULL
      ORDER BY blocked_at, event_id
      LIMIT ?
      """;

  private static final String RETRIED =
      """
      SELECT {allColumns}, created_at AS since
      FROM {table}
      WHERE status = 2 AND aggregate_id IS NOT NULL
      ORDER BY created_at, event_id
      LIMIT ?
      """;

  private final OrderedTables tables;
  private final int mostLookedAt;

  BlockedKeys(OrderedTables tables) {
    this(tables, MOST_LOOKED_AT);
  }

  BlockedKeys(OrderedTables tables, int mostLookedAt) {
    this.tables = tables;
    this.mostLookedAt = mostLookedAt;
  }

  private record Waiting(EventDetails head, Instant since) {

    String eventId() {
      return head.event().eventId();
    }

    EventKey key() {
      return Objects.requireNonNull(EventKey.of(head.event()));
    }
  }

  private record Depth(String eventId, long events) {}

  List<BlockedKey> list(Connection connection, String relay, int limit) {
    if (limit <= 0) {
      return List.of();
    }
    return tables.run(
        "list blocked aggregates of relay " + relay,
        () -> {
          List<Waiting> page =
              Stream.concat(
                      select(connection, DEAD, tables.relay(relay), limit).stream(),
                      select(connection, RETRIED, limit).stream())
                  .sorted(Comparator.comparing(Waiting::since).thenComparing(Waiting::eventId))
                  .limit(limit)
                  .toList();
          Map<String, Long> depths = depths(connection, page);
          return page.stream()
              .map(
                  waiting ->
                      new BlockedKey(
                          relay,
                          waiting.key(),
                          waiting.head(),
                          depths.getOrDefault(waiting.eventId(), 0L),
                          waiting.since()))
              .toList();
        });
  }

  private List<Waiting> select(Connection connection, String sql, Object... parameters) {
    return JdbcTemplate.query(connection, tables.sql(sql), this::waiting, parameters);
  }

  private Map<String, Long> depths(Connection connection, List<Waiting> page) {
    Map<String, Long> depths = new HashMap<>();
    List<String> all = page.stream().map(Waiting::eventId).toList();
    for (List<String> ids : tables.events().oneOf().chunks(all)) {
      for (String pending : tables.events().pendingConditions()) {
        depths(connection, ids, pending)
            .forEach(depth -> depths.merge(depth.eventId(), depth.events(), Long::sum));
      }
    }
    return depths;
  }

  private List<Depth> depths(Connection connection, List<String> heads, String pending) {
    String sql =
        """
        SELECT head.event_id, COUNT(*) AS behind
        FROM {table} head
        JOIN (
          SELECT aggregate_type, aggregate_id, seq
          FROM {table}
          WHERE {pending}
          ORDER BY {order}
          LIMIT {most}
        ) event ON event.aggregate_id = head.aggregate_id AND event.seq > head.seq
          AND (event.aggregate_type = head.aggregate_type
            OR (event.aggregate_type IS NULL AND head.aggregate_type IS NULL))
        WHERE {where}
        GROUP BY head.event_id
        """
            .replace("{pending}", pending)
            .replace("{most}", String.valueOf(mostLookedAt));
    Condition where = tables.events().oneOf().condition("head.event_id", heads);
    return JdbcTemplate.query(
        connection,
        tables.sql(where.in(sql)),
        row -> new Depth(row.getString("event_id"), row.getLong("behind")),
        where.before());
  }

  private Waiting waiting(ResultSet row) throws SQLException {
    return new Waiting(tables.events().details(row), tables.events().time(row, "since"));
  }
}
