package outbox.jdbc.store;

import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.internal.InList;
import outbox.model.OutboxEvent;

/** Finds pending events, claims them and gives claims back. */
final class PendingStatements {

  static final Comparator<OutboxEvent> OLDEST_FIRST =
      Comparator.comparing(OutboxEvent::createdAt).thenComparing(OutboxEvent::eventId);

  private final EventTable table;

  PendingStatements(EventTable table) {
    this.table = table;
  }

  List<OutboxEvent> poll(Connection connection, PendingQuery query) {
    String sql =
        """
        SELECT {columns}
        FROM {table}
        WHERE {pending} AND available_at <= ? AND created_at <= ?
        ORDER BY created_at, event_id
        LIMIT ?
        """;
    if (query.wantsNone()) {
      return List.of();
    }
    Object now = table.time(query.now());
    Object createdUntil = table.time(query.createdUntil());
    return table
        .attempt()
        .to(
            "poll events",
            () -> select(connection, sql, query.limit(), now, createdUntil, query.limit()));
  }

  List<OutboxEvent> claim(
      Connection connection, String ownerId, Instant lockExpiry, PendingQuery query) {
    if (query.wantsNone()) {
      return List.of();
    }
    return table
        .attempt()
        .to(
            "claim events for " + ownerId,
            () ->
                Transactions.inTransaction(
                    connection,
                    tx -> {
                      table.beforeLocking(tx);
                      List<OutboxEvent> events = selectForUpdate(tx, lockExpiry, query);
                      lock(tx, ownerId, query.now(), events);
                      return events;
                    }));
  }

  int release(Connection connection, String ownerId, Collection<String> eventIds) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET locked_by = NULL, locked_at = NULL
        WHERE locked_by = ? AND status IN (0, 2) AND event_id IN ({ids})
        """;
    return table
        .attempt()
        .to(
            "release claims of " + ownerId,
            () -> {
              int released = 0;
              for (InList ids : InList.of(eventIds)) {
                table.beforeLocking(connection);
                released +=
                    JdbcTemplate.update(connection, table.sql(ids.in(sql)), ids.after(ownerId));
              }
              return released;
            });
  }

  private List<OutboxEvent> selectForUpdate(
      Connection connection, Instant lockExpiry, PendingQuery query) {
    String sql =
        """
        SELECT {columns}
        FROM {table}
        WHERE {pending} AND available_at <= ? AND created_at <= ?
          AND (locked_by IS NULL OR locked_at < ?)
        ORDER BY created_at, event_id
        LIMIT ?
        FOR UPDATE SKIP LOCKED
        """;
    return select(
        connection,
        sql,
        query.limit(),
        table.time(query.now()),
        table.time(query.createdUntil()),
        table.time(lockExpiry),
        query.limit());
  }

  private void lock(Connection connection, String ownerId, Instant now, List<OutboxEvent> events) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET locked_by = ?, locked_at = ?
        WHERE event_id IN ({ids})
        """;
    for (InList ids : InList.of(events.stream().map(OutboxEvent::eventId).toList())) {
      JdbcTemplate.update(connection, table.sql(ids.in(sql)), ids.after(ownerId, table.time(now)));
    }
  }

  private List<OutboxEvent> select(
      Connection connection, String template, int limit, Object... parameters) {
    List<OutboxEvent> events = new ArrayList<>();
    for (String condition : table.pendingConditions()) {
      String sql = table.sql(template.replace("{pending}", condition));
      events.addAll(JdbcTemplate.query(connection, sql, table::event, parameters));
    }
    return events.stream().sorted(OLDEST_FIRST).limit(limit).toList();
  }
}
