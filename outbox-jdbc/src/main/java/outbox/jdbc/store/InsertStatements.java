package outbox.jdbc.store;

import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.spi.Claim;
import outbox.spi.EventRow;

/**
 * Writes new events, claimed or not: all or none, and every one is encoded before the first is
 * inserted.
 */
final class InsertStatements {

  private final EventTable table;

  InsertStatements(EventTable table) {
    this.table = table;
  }

  void insert(Connection connection, List<EventEnvelope> events) {
    String sql =
        """
        INSERT INTO {table} (event_id, event_type, aggregate_type, aggregate_id, tenant_id,
          payload, headers, status, attempts, available_at, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)
        """;
    Instant now = table.now();
    run(connection, sql, events, events.stream().map(event -> values(event, now)).toList());
  }

  void insertClaimed(Connection connection, List<EventEnvelope> events, Claim claim) {
    String sql =
        """
        INSERT INTO {table} (event_id, event_type, aggregate_type, aggregate_id, tenant_id,
          payload, headers, status, attempts, available_at, created_at, locked_by, locked_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)
        """;
    Instant now = table.now();
    run(connection, sql, events, events.stream().map(event -> values(event, now, claim)).toList());
  }

  private List<@Nullable Object> values(EventEnvelope event, Instant now, Claim claim) {
    List<@Nullable Object> values = values(event, now);
    values.add(claim.ownerId());
    values.add(table.time(claim.lockedAt()));
    return values;
  }

  private List<@Nullable Object> values(EventEnvelope event, Instant now) {
    EventRow row = table.encode(event, now);
    List<@Nullable Object> values = new ArrayList<>();
    values.add(event.eventId());
    values.add(event.eventType());
    values.add(event.aggregateType());
    values.add(event.aggregateId());
    values.add(event.tenantId());
    values.add(table.json(row.payload()));
    values.add(table.json(row.headers()));
    values.add(table.time(row.createdAt())); // available at once
    values.add(table.time(row.createdAt()));
    return values;
  }

  private void run(
      Connection connection,
      String template,
      List<EventEnvelope> events,
      List<List<@Nullable Object>> rows) {
    if (rows.size() == 1) {
      table.update(operation(events), connection, template, rows.get(0).toArray());
    } else if (!rows.isEmpty()) {
      table
          .attempt()
          .to(
              operation(events),
              () ->
                  Transactions.inTransaction(
                      connection,
                      tx -> {
                        JdbcTemplate.batch(tx, table.sql(template), rows);
                        return rows.size();
                      }));
    }
  }

  private static String operation(List<EventEnvelope> events) {
    String first = events.get(0).eventId();
    return events.size() == 1
        ? "insert event " + first
        : "insert %d events (%s to %s)"
            .formatted(events.size(), first, events.get(events.size() - 1).eventId());
  }
}
