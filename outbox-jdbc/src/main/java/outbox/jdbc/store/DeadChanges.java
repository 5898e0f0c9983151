package outbox.jdbc.store;

import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.internal.Condition;
import outbox.model.DeadQuery;
import outbox.model.DeadQuery.Position;
import outbox.model.DiscardReason;
import outbox.spi.DeadBatch;

/**
 * Replays and discards dead events a page at a time. Locks the page first and passes over what
 * others have locked, so that of several operators each event meets one, and none waits.
 */
final class DeadChanges {

  private final EventTable table;

  DeadChanges(EventTable table) {
    this.table = table;
  }

  private record Locked(Position position, @Nullable String lastError) {

    String eventId() {
      return position.eventId();
    }
  }

  private interface Change {
    void apply(Connection connection, List<Locked> page);
  }

  DeadBatch replay(Connection connection, DeadQuery query) {
    return change("replay dead events", connection, query, this::replay);
  }

  DeadBatch discard(Connection connection, DeadQuery query, DiscardReason reason) {
    return change(
        "discard dead events", connection, query, (tx, page) -> discard(tx, page, reason));
  }

  private DeadBatch change(
      String operation, Connection connection, DeadQuery query, Change change) {
    return table.run(
        operation,
        () ->
            Transactions.inTransaction(
                connection,
                tx -> {
                  table.beforeLocking(tx);
                  List<Locked> page = lock(tx, query);
                  change.apply(tx, page);
                  return batch(page);
                }));
  }

  private List<Locked> lock(Connection connection, DeadQuery query) {
    Condition dead = new DeadConditions(table).of(query);
    if (table.locksBeforeItLimits()) {
      String first = "event_id IN (SELECT event_id FROM {table} WHERE {where} {order} LIMIT ?)";
      Condition page = new Condition(dead.in(first), List.of(dead.before(query.limit())));
      List<Locked> locked = lock(connection, query, page.and(dead), "", List.of());
      if (locked.size() == query.limit()) {
        return locked;
      }
      // Others have locked some of these, and there may be more behind them.
    }
    return lock(connection, query, dead, "LIMIT ?", List.of(query.limit()));
  }

  private List<Locked> lock(
      Connection connection, DeadQuery query, Condition dead, String limit, List<Object> most) {
    String sql =
        """
        SELECT event_id, created_at, last_error
        FROM {table}
        WHERE {where}
        {order}
        {limit}
        FOR UPDATE SKIP LOCKED
        """;
    return JdbcTemplate.query(
        connection,
        table.sql(
            dead.in(sql)
                .replace("{order}", DeadConditions.order(query.order()))
                .replace("{limit}", limit)),
        row -> new Locked(table.position(row), row.getString("last_error")),
        dead.before(most.toArray()));
  }

  private void replay(Connection connection, List<Locked> page) {
    String sql =
        """
        UPDATE {table} {byPrimaryKey}
        SET status = 0, attempts = 0, available_at = ?, done_at = NULL, last_error = NULL,
            locked_by = NULL, locked_at = NULL
        WHERE {where}
        """;
    Object now = table.time(table.now());
    List<String> all = page.stream().map(Locked::eventId).toList();
    for (List<String> ids : table.oneOf().chunks(all)) {
      Condition where = table.oneOf().condition("event_id", ids);
      JdbcTemplate.update(connection, table.sql(where.in(sql)), where.between(List.of(now)));
    }
  }

  private void discard(Connection connection, List<Locked> page, DiscardReason reason) {
    String sql =
        """
        UPDATE {table}
        SET status = 1, done_at = ?, last_error = ?, locked_by = NULL, locked_at = NULL
        WHERE event_id = ?
        """;
    Object now = table.time(table.now());
    JdbcTemplate.batch(
        connection,
        table.sql(sql),
        page.stream()
            .map(row -> List.of(now, reason.lastError(row.lastError()), row.eventId()))
            .toList());
  }

  private static DeadBatch batch(List<Locked> page) {
    Position last = page.isEmpty() ? null : page.get(page.size() - 1).position();
    return new DeadBatch(page.size(), last);
  }
}
