package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.internal.EventSize;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.JdbcTemplate.RowMapper;
import outbox.jdbc.internal.Condition;
import outbox.model.OutboxEvent;

/**
 * Keeps what is read within some bytes. A query has payload and headers of the rows that weigh no
 * more than their equal share, which is all rows as a rule. If it left some out, they are weighed,
 * and those among the first that fit are read by their ids. The last one may weigh anything.
 *
 * @param lock how such a query ends: as the first one did, if that locked the rows, because a
 *     transaction may see what it locked in no other way
 */
record Portion<T>(
    EventTable table,
    Function<T, OutboxEvent> event,
    BiFunction<T, OutboxEvent, T> withEvent,
    String lock) {

  /** The rows that fit, and whether there were others; some of these may be gone by now. */
  record Fitting<T>(List<T> rows, boolean isCut) {}

  private record Weighed(String eventId, long bytes) {}

  private record Texts(String eventId, String payload, @Nullable String headers) {}

  /** What each row of a query may weigh, as its first two parameters. */
  static List<Long> share(long bytes, int limit) {
    long share = Math.max(0, bytes) / limit;
    return List.of(share, share);
  }

  /** What is left of the bytes for the next query. */
  long left(long bytes, List<T> rows) {
    return bytes - rows.stream().map(event).mapToLong(Portion::inMemory).sum();
  }

  /** The first of the rows, complete; without those that have just been deleted. */
  Fitting<T> of(Connection connection, List<T> rows, long bytes) {
    List<String> leftOut = leftOut(rows);
    if (leftOut.isEmpty()) {
      return new Fitting<>(rows, false);
    }
    List<T> first = first(rows, weigh(connection, leftOut), bytes);
    List<T> complete = complete(connection, first);
    return new Fitting<>(complete, complete.size() < rows.size());
  }

  private List<T> first(List<T> rows, Map<String, Long> weights, long bytes) {
    long before = 0;
    int count = 0;
    while (count < rows.size() && before < bytes) {
      OutboxEvent row = event.apply(rows.get(count++));
      before += isLeftOut(row) ? weights.getOrDefault(row.eventId(), 0L) : inMemory(row);
    }
    return rows.subList(0, count);
  }

  private List<T> complete(Connection connection, List<T> rows) {
    Map<String, Texts> texts = read(connection, leftOut(rows));
    List<T> complete = new ArrayList<>();
    for (T row : rows) {
      OutboxEvent known = event.apply(row);
      Texts read = texts.get(known.eventId());
      if (read != null) {
        complete.add(withEvent.apply(row, with(known, read)));
      } else if (!isLeftOut(known)) {
        complete.add(row);
      }
    }
    return complete;
  }

  private Map<String, Long> weigh(Connection connection, List<String> eventIds) {
    String sql = "SELECT event_id, {weight} AS weight FROM {table} WHERE {where} " + lock;
    Map<String, Long> weights = new HashMap<>();
    byIds(connection, sql, eventIds, row -> new Weighed(row.getString(1), row.getLong(2)))
        .forEach(row -> weights.put(row.eventId(), row.bytes()));
    return weights;
  }

  private Map<String, Texts> read(Connection connection, List<String> eventIds) {
    String sql = "SELECT event_id, payload, headers FROM {table} WHERE {where} " + lock;
    Map<String, Texts> texts = new HashMap<>();
    byIds(connection, sql, eventIds, Portion::texts).forEach(row -> texts.put(row.eventId(), row));
    return texts;
  }

  private <R> List<R> byIds(
      Connection connection, String template, List<String> eventIds, RowMapper<R> mapper) {
    List<R> rows = new ArrayList<>();
    for (List<String> ids : table.oneOf().chunks(eventIds)) {
      Condition where = table.oneOf().condition("event_id", ids);
      String sql = table.weighing(where.in(template));
      rows.addAll(JdbcTemplate.query(connection, sql, mapper, where.before()));
    }
    return rows;
  }

  private List<String> leftOut(List<T> rows) {
    return rows.stream().map(event).filter(Portion::isLeftOut).map(OutboxEvent::eventId).toList();
  }

  private static boolean isLeftOut(OutboxEvent row) {
    return row.payloadJson() == null;
  }

  private static long inMemory(OutboxEvent row) {
    return EventSize.characters(row); // none if it was left out
  }

  private static Texts texts(ResultSet row) throws SQLException {
    return new Texts(row.getString(1), row.getString(2), row.getString(3));
  }

  private static OutboxEvent with(OutboxEvent row, Texts texts) {
    return new OutboxEvent(
        row.eventId(),
        row.eventType(),
        row.aggregateType(),
        row.aggregateId(),
        row.tenantId(),
        texts.payload(),
        texts.headers(),
        row.attempts(),
        row.createdAt());
  }
}
