package outbox.jdbc.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.InList;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DeadQuery.Order;
import outbox.model.DeadQuery.Position;

/**
 * The part of a statement on dead events that depends on what is asked for. Values are parameters
 * throughout; the text is made of constants.
 */
final class DeadConditions {

  private final EventTable table;
  private final StringBuilder conditions = new StringBuilder("status = 3");
  private final List<Object> values = new ArrayList<>();

  DeadConditions(EventTable table) {
    this.table = table;
  }

  /** Restricts a column to a value, unless that is null. */
  DeadConditions and(String column, @Nullable String value) {
    return value == null ? this : and(column + " = ?", List.of(value));
  }

  DeadConditions and(DeadFilter filter) {
    and("event_type", filter.eventType());
    and("aggregate_type", filter.aggregateType());
    and("aggregate_id", filter.aggregateId());
    and("tenant_id", filter.tenantId());
    if (filter.diedFrom() != null) {
      and("COALESCE(done_at, created_at) >= ?", List.of(table.time(filter.diedFrom())));
    }
    if (filter.diedBefore() != null) {
      and("COALESCE(done_at, created_at) < ?", List.of(table.time(filter.diedBefore())));
    }
    if (filter.errorText() != null) {
      and("LOWER(last_error) LIKE LOWER(?) ESCAPE '!'", List.of(containing(filter.errorText())));
    }
    for (InList ids : InList.of(filter.ids())) { // never more than one
      and(ids.in("event_id IN ({ids})"), ids.ids());
    }
    return this;
  }

  /** The page's place in the order; the first comparison is for the index. */
  DeadConditions and(DeadQuery query) {
    and(query.filter());
    Position after = query.after();
    if (after != null) {
      Object time = table.time(after.createdAt());
      and(
          query.order() == Order.OLDEST_FIRST
              ? "created_at >= ? AND (created_at > ? OR event_id > ?)"
              : "created_at <= ? AND (created_at < ? OR event_id < ?)",
          List.of(time, time, after.eventId()));
    }
    return this;
  }

  String in(String template) {
    return table.sql(template.replace("{dead}", conditions));
  }

  static String order(Order order) {
    return order == Order.OLDEST_FIRST
        ? "ORDER BY created_at, event_id"
        : "ORDER BY created_at DESC, event_id DESC";
  }

  Object[] parametersAnd(Object... more) {
    List<Object> all = new ArrayList<>(values);
    all.addAll(List.of(more));
    return all.toArray();
  }

  private DeadConditions and(String condition, List<? extends Object> parameters) {
    conditions.append(" AND ").append(condition);
    values.addAll(parameters);
    return this;
  }

  /** Escapes by {@code !}: a backslash MySQL's strings take for themselves. */
  private static String containing(String text) {
    return '%' + text.replaceAll("[!%_]", "!$0") + '%';
  }
}
