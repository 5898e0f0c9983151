package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.internal.Reason;
import outbox.jdbc.internal.TextParameter;
import outbox.spi.Claim;
import outbox.spi.EventRow;

/**
 * Writes new events, claimed or not: all or none. Each one is encoded before the first is inserted,
 * and few are kept encoded at a time.
 */
final class InsertStatements {

  /** How many encoded rows are held at once, and how much text of theirs. */
  private static final int MOST_ROWS = 512;

  private static final int MOST_TEXT = 1 << 20;

  /** More rows per statement are no faster: what parsing them costs eats what a trip saves. */
  private static final int MOST_PER_STATEMENT = 128;

  private final EventTable table;
  private final Map<Form, String> statements = new ConcurrentHashMap<>();

  /** Which statement it is: there is another one for every number of rows, claimed and free. */
  private record Form(int rows, boolean isClaimed) {

    private static final String COLUMNS =
        """
        event_id, event_type, aggregate_type, aggregate_id, tenant_id, payload, headers,
          status, attempts, available_at, created_at\
        """;

    Form(int rows, @Nullable Claim claim) {
      this(rows, claim != null);
    }

    String sql() {
      String columns = isClaimed ? COLUMNS + ", locked_by, locked_at" : COLUMNS;
      String row = "(?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?" + (isClaimed ? ", ?, ?)" : ")");
      String values = String.join(", ", Collections.nCopies(rows, row));
      return "INSERT INTO {table} (" + columns + ")\nVALUES " + values + "\n";
    }
  }

  InsertStatements(EventTable table) {
    this.table = table;
  }

  void insert(Connection connection, List<EventEnvelope> events, @Nullable Claim claim) {
    if (events.size() == 1) {
      Object[] values = values(events.get(0), claim).toArray();
      String sql = sql(new Form(1, claim));
      table.run(operation(events), () -> JdbcTemplate.update(connection, sql, values));
    } else if (!events.isEmpty()) {
      table.run(
          operation(events),
          () -> Transactions.inTransaction(connection, tx -> insertAll(tx, events, claim)));
    }
  }

  /** False if the id is taken; waits for a transaction that is about to take it. */
  boolean insertIfAbsent(Connection connection, EventEnvelope event, @Nullable Claim claim) {
    Object[] values = values(event, claim).toArray();
    String sql = sql(new Form(1, claim)) + table.onTakenId();
    return table.run(
        operation(List.of(event)),
        () ->
            table.onTakenId().isEmpty()
                ? insertUnlessTaken(connection, sql, event.eventId(), values)
                : JdbcTemplate.update(connection, sql, values) == 1);
  }

  /**
   * Asks before it inserts, because InnoDB keeps a refused INSERT's lock on the row, and with it
   * whoever completes that event, until the transaction ends. A duplicate of anything but the id is
   * a failure: the event would be lost.
   */
  private boolean insertUnlessTaken(
      Connection connection, String sql, String eventId, @Nullable Object[] values) {
    if (isTaken(connection, eventId, "")) {
      return false;
    }
    try {
      return JdbcTemplate.update(connection, sql, values) == 1;
    } catch (OutboxStoreException e) {
      if (e.getCause() instanceof SQLException cause
          && Reason.isDuplicate(cause)
          && isTaken(connection, eventId, "{latest}")) {
        return false;
      }
      throw e;
    }
  }

  private boolean isTaken(Connection connection, String eventId, String lock) {
    String sql = "SELECT event_id FROM {table} WHERE event_id = ? " + lock;
    return !JdbcTemplate.query(connection, table.sql(sql), row -> row.getString(1), eventId)
        .isEmpty();
  }

  private int insertAll(Connection tx, List<EventEnvelope> events, @Nullable Claim claim) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    int next = 0;
    while (next < events.size()) {
      boolean isFirst = next == 0;
      rows.clear();
      for (int text = 0;
          next < events.size() && rows.size() < MOST_ROWS && text < MOST_TEXT;
          next++) {
        EventRow row = table.encode(events.get(next));
        text += row.payload().length() + (row.headers() == null ? 0 : row.headers().length());
        rows.add(values(events.get(next), row, claim));
      }
      if (isFirst) {
        events.subList(next, events.size()).forEach(table::encode);
      }
      insertRows(tx, rows, claim);
    }
    return events.size();
  }

  /** By as few different statements as possible, for the sake of those who cache them. */
  private void insertRows(Connection tx, List<List<@Nullable Object>> rows, @Nullable Claim claim) {
    if (table.insertsByBatch()) {
      JdbcTemplate.batch(tx, sql(new Form(1, claim)), rows);
      return;
    }
    for (int from = 0, count; from < rows.size(); from += count) {
      count = Integer.highestOneBit(Math.min(MOST_PER_STATEMENT, rows.size() - from));
      List<@Nullable Object> values = new ArrayList<>();
      rows.subList(from, from + count).forEach(values::addAll);
      JdbcTemplate.update(tx, sql(new Form(count, claim)), values.toArray());
    }
  }

  private String sql(Form form) {
    return statements.computeIfAbsent(form, missing -> table.sql(missing.sql()));
  }

  private List<@Nullable Object> values(EventEnvelope event, @Nullable Claim claim) {
    return values(event, table.encode(event), claim);
  }

  private List<@Nullable Object> values(EventEnvelope event, EventRow row, @Nullable Claim claim) {
    Object createdAt = table.time(row.createdAt());
    boolean isPrompt = row.availableAt().equals(row.createdAt());
    List<@Nullable Object> values = new ArrayList<>();
    values.add(event.eventId());
    values.add(event.eventType());
    values.add(event.aggregateType());
    values.add(new TextParameter(event.aggregateId()));
    values.add(new TextParameter(event.tenantId()));
    values.add(table.json(row.payload()));
    values.add(table.json(row.headers()));
    values.add(isPrompt ? createdAt : table.time(row.availableAt()));
    values.add(createdAt);
    if (claim != null) {
      values.add(claim.ownerId());
      values.add(table.time(claim.lockedAt()));
    }
    return values;
  }

  private static String operation(List<EventEnvelope> events) {
    String first = events.get(0).eventId();
    return events.size() == 1
        ? "insert event " + first
        : "insert %d events (%s to %s)"
            .formatted(events.size(), first, events.get(events.size() - 1).eventId());
  }
}
