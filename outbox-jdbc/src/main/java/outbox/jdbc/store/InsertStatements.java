package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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

  /** A parameter like any other. */
  private static final String PLAIN = "?";

  /** Until then the seconds since 1970 have room for microseconds in a double. */
  private static final Instant EXACT_UNTIL = Instant.parse("2100-01-01T00:00:00Z");

  private static final double MICROS_PER_SECOND = 1e6;

  private final EventTable table;
  private final Map<Form, String> statements = new ConcurrentHashMap<>();
  private volatile @Nullable String time;

  /** What an INSERT may fill, in the order of its parameters. */
  private enum Column {
    EVENT_ID(0),
    EVENT_TYPE(1),
    AGGREGATE_TYPE(2),
    AGGREGATE_ID(3),
    TENANT_ID(4),
    PAYLOAD(5),
    HEADERS(6),
    AVAILABLE_AT(7),
    CREATED_AT(8),
    LOCKED_BY(9),
    LOCKED_AT(10);

    private static final List<Column> ALL = List.of(values());

    /** Those that are filled with times of now. */
    private static final Set<Column> TIMES = EnumSet.of(AVAILABLE_AT, CREATED_AT, LOCKED_AT);

    private final int bit;

    Column(int place) {
      bit = 1 << place;
    }
  }

  /**
   * Which statement it is: there is another one for every number of rows and every set of columns,
   * which is a number so that looking up the statement is next to nothing.
   *
   * @param time what stands in the place of a time
   */
  private record Form(int rows, int columns, String time) {

    String sql() {
      StringBuilder names = new StringBuilder("status, attempts");
      StringBuilder row = new StringBuilder("0, 0");
      for (Column column : Column.ALL) {
        if ((columns & column.bit) != 0) {
          names.append(", ").append(column.name().toLowerCase(Locale.ROOT));
          row.append(", ").append(Column.TIMES.contains(column) ? time : "?");
        }
      }
      return "INSERT INTO {table} (%s)\nVALUES %s\n"
          .formatted(names, String.join(", ", Collections.nCopies(rows, "(" + row + ")")));
    }
  }

  /**
   * What goes into which column of a row, set in the order of the columns. Alone it leaves out what
   * is empty, so that the database has less to read; beside others it has the same columns as they.
   */
  private static final class Row {
    private final boolean isAlone;
    private final String time;
    private final List<@Nullable Object> values = new ArrayList<>(Column.ALL.size());
    private int columns;

    Row(boolean isAlone, String time) {
      this.isAlone = isAlone;
      this.time = time;
    }

    void set(Column column, @Nullable Object value) {
      columns |= column.bit;
      values.add(value);
    }

    void setIfPresent(
        Column column, @Nullable String text, Function<@Nullable String, @Nullable Object> as) {
      if (text != null || !isAlone) {
        set(column, as.apply(text));
      }
    }
  }

  InsertStatements(EventTable table) {
    this.table = table;
  }

  /** True, for it always does. */
  boolean insert(Connection connection, List<EventEnvelope> events, @Nullable Claim claim) {
    if (events.size() == 1) {
      EventRow encoded = table.encode(events.get(0));
      table.run(
          operation(events),
          () -> {
            Row row = alone(connection, events.get(0), encoded, claim);
            return JdbcTemplate.update(connection, sql(1, row), row.values.toArray());
          });
    } else if (!events.isEmpty()) {
      table.run(
          operation(events),
          () -> Transactions.inTransaction(connection, tx -> insertAll(tx, events, claim)));
    }
    return true;
  }

  /** False if the id is taken; waits for a transaction that is about to take it. */
  boolean insertIfAbsent(Connection connection, EventEnvelope event, @Nullable Claim claim) {
    EventRow encoded = table.encode(event);
    return table.run(
        operation(List.of(event)),
        () -> {
          Row row = alone(connection, event, encoded, claim);
          Object[] values = row.values.toArray();
          String sql = sql(1, row) + table.onTakenId();
          return table.onTakenId().isEmpty()
              ? insertUnlessTaken(connection, sql, event.eventId(), values)
              : JdbcTemplate.update(connection, sql, values) == 1;
        });
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
    List<String> found =
        JdbcTemplate.query(connection, table.sql(sql), row -> row.getString(1), eventId);
    if (!found.isEmpty() && !found.contains(eventId)) {
      throw new OutboxStoreException(
          "event %s can't be written, because the table takes its id for that of event %s; give the column event_id a binary collation"
              .formatted(eventId, found.get(0)),
          null);
    }
    return !found.isEmpty();
  }

  private int insertAll(Connection tx, List<EventEnvelope> events, @Nullable Claim claim) {
    List<Row> rows = new ArrayList<>();
    int next = 0;
    while (next < events.size()) {
      boolean isFirst = next == 0;
      rows.clear();
      for (int text = 0;
          next < events.size() && rows.size() < MOST_ROWS && text < MOST_TEXT;
          next++) {
        EventRow row = table.encode(events.get(next));
        text += row.payload().length() + (row.headers() == null ? 0 : row.headers().length());
        rows.add(row(new Row(false, PLAIN), events.get(next), row, claim));
      }
      if (isFirst) {
        events.subList(next, events.size()).forEach(table::encode);
      }
      insertRows(tx, rows);
    }
    return events.size();
  }

  /** By as few different statements as possible, for the sake of those who cache them. */
  private void insertRows(Connection tx, List<Row> rows) {
    if (table.sendsBatchesInBulk()) {
      JdbcTemplate.batch(tx, sql(1, rows.get(0)), rows.stream().map(row -> row.values).toList());
      return;
    }
    for (int from = 0, count; from < rows.size(); from += count) {
      count = Integer.highestOneBit(Math.min(MOST_PER_STATEMENT, rows.size() - from));
      List<@Nullable Object> values = new ArrayList<>();
      rows.subList(from, from + count).forEach(row -> values.addAll(row.values));
      JdbcTemplate.update(tx, sql(count, rows.get(from)), values.toArray());
    }
  }

  /** For so many rows like this one. */
  private String sql(int rows, Row row) {
    Form form = new Form(rows, row.columns, row.time);
    String known = statements.get(form); // the other way may lock
    return known != null
        ? known
        : statements.computeIfAbsent(form, missing -> table.sql(missing.sql()));
  }

  /** Times as numbers are for those of now, and not for ever. */
  private Row alone(
      Connection connection, EventEnvelope event, EventRow encoded, @Nullable Claim claim) {
    boolean isPrompt = encoded.availableAt().equals(encoded.createdAt());
    boolean isNumber = isPrompt && encoded.createdAt().isBefore(EXACT_UNTIL);
    return row(new Row(true, isNumber ? time(connection) : PLAIN), event, encoded, claim);
  }

  private String time(Connection connection) {
    String known = time;
    if (known == null) {
      known = table.insertedTime(connection);
      time = known;
    }
    return known;
  }

  private Row row(Row row, EventEnvelope event, EventRow encoded, @Nullable Claim claim) {
    Object createdAt = time(row, encoded.createdAt());
    boolean isPrompt = encoded.availableAt().equals(encoded.createdAt());
    row.set(Column.EVENT_ID, event.eventId());
    row.set(Column.EVENT_TYPE, event.eventType());
    row.setIfPresent(Column.AGGREGATE_TYPE, event.aggregateType(), TextParameter::new);
    row.setIfPresent(Column.AGGREGATE_ID, event.aggregateId(), TextParameter::new);
    row.setIfPresent(Column.TENANT_ID, event.tenantId(), TextParameter::new);
    row.set(Column.PAYLOAD, table.json(encoded.payload()));
    row.setIfPresent(Column.HEADERS, encoded.headers(), table::json);
    row.set(Column.AVAILABLE_AT, isPrompt ? createdAt : time(row, encoded.availableAt()));
    row.set(Column.CREATED_AT, createdAt);
    if (claim != null) {
      row.set(Column.LOCKED_BY, claim.ownerId());
      row.set(Column.LOCKED_AT, time(row, claim.lockedAt()));
    }
    return row;
  }

  private Object time(Row row, Instant time) {
    return row.time.equals(PLAIN)
        ? table.time(time)
        : ChronoUnit.MICROS.between(Instant.EPOCH, time) / MICROS_PER_SECOND;
  }

  private static String operation(List<EventEnvelope> events) {
    String first = events.get(0).eventId();
    return events.size() == 1
        ? "insert event " + first
        : "insert %d events (%s to %s)"
            .formatted(events.size(), first, events.get(events.size() - 1).eventId());
  }
}
