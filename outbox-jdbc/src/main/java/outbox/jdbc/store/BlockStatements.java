package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.internal.Condition;
import outbox.jdbc.internal.TextParameter;
import outbox.model.EventKey;
import outbox.model.EventStatus;
import outbox.spi.OrderedStore.Block;
import outbox.spi.OrderedStore.Head;

/** How single events stand, and which of the dead ones block their aggregate. */
final class BlockStatements {

  private final OrderedTables tables;

  BlockStatements(OrderedTables tables) {
    this.tables = tables;
  }

  List<Head> heads(Connection connection, String relay, Collection<String> eventIds) {
    String sql =
        """
        SELECT event.event_id, status, attempts, available_at,
          CASE WHEN blocked.event_id IS NULL THEN 0 ELSE 1 END AS blocks
        FROM {table} event
        LEFT JOIN {blocked} blocked ON blocked.relay = ? AND blocked.event_id = event.event_id
        WHERE {where}
        """;
    return tables.run(
        "read the heads of aggregates",
        () -> {
          List<Head> heads = new ArrayList<>();
          for (List<String> ids : tables.events().oneOf().chunks(List.copyOf(eventIds))) {
            Condition where = tables.events().oneOf().condition("event.event_id", ids);
            heads.addAll(
                JdbcTemplate.query(
                    connection,
                    tables.sql(where.in(sql)),
                    this::head,
                    where.between(List.of(tables.relay(relay)))));
          }
          return heads;
        });
  }

  /** With a new time if the row is there, so that nobody takes it for what is left of the last. */
  void block(Connection connection, String relay, EventKey key, String eventId) {
    String insert =
        """
        INSERT INTO {blocked} (relay, event_id, aggregate_type, aggregate_id, blocked_at)
        VALUES (?, ?, ?, ?, ?)
        """;
    String again = "UPDATE {blocked} SET blocked_at = ? WHERE relay = ? AND event_id = ?";
    Object now = tables.events().time(tables.events().now());
    tables.run(
        "block " + key + " by event " + eventId,
        () -> {
          boolean isThere = false;
          while (!isThere) { // what is left of the last may be deleted in between
            isThere =
                tables.insertOr(
                        connection,
                        insert,
                        tables.dialect().blockedAgain(),
                        tables.relay(relay),
                        eventId,
                        new TextParameter(key.aggregateType()),
                        key.aggregateId(),
                        now)
                    || tables.update(connection, again, now, tables.relay(relay), eventId) > 0;
          }
          return key;
        });
  }

  boolean unblock(Connection connection, String relay, String eventId) {
    return tables.run(
        "unblock what waits behind event " + eventId, () -> delete(connection, relay, eventId));
  }

  /** False if the event blocks nothing. */
  boolean delete(Connection connection, String relay, String eventId) {
    String sql = "DELETE FROM {blocked} WHERE relay = ? AND event_id = ?";
    return tables.update(connection, sql, tables.relay(relay), eventId) > 0;
  }

  List<Block> blocks(Connection connection, String relay) {
    String sql =
        """
        SELECT blocked.aggregate_type, blocked.aggregate_id, blocked.event_id, seq, bucket
        FROM {blocked} blocked
        JOIN (SELECT event_id, status, seq, {bucket} AS bucket FROM {table}) event
          ON event.event_id = blocked.event_id
        WHERE blocked.relay = ? AND status = 3
        ORDER BY blocked_at, blocked.event_id
        """;
    return tables.run(
        "list the events that block in relay " + relay,
        () ->
            JdbcTemplate.query(
                connection, tables.sql(sql), BlockStatements::block, tables.relay(relay)));
  }

  private Head head(ResultSet row) throws SQLException {
    return new Head(
        row.getString("event_id"),
        EventStatus.of(row.getInt("status")),
        row.getInt("attempts"),
        tables.events().time(row, "available_at"),
        row.getInt("blocks") == 1);
  }

  private static Block block(ResultSet row) throws SQLException {
    EventKey key = new EventKey(row.getString("aggregate_type"), row.getString("aggregate_id"));
    return new Block(key, row.getString("event_id"), row.getLong("seq"), row.getInt("bucket"));
  }
}
