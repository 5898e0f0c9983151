package outbox.jdbc.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.Condition;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DeadQuery.Order;
import outbox.model.DeadQuery.Position;

/** The conditions that find the dead events one asks for. */
final class DeadConditions {

  static final Condition DEAD = Condition.of("status = 3");

  private final EventTable table;

  DeadConditions(EventTable table) {
    this.table = table;
  }

  Condition of(DeadFilter filter) {
    Condition dead =
        DEAD.and("event_type = ?", filter.eventType())
            .and("aggregate_type = ?", filter.aggregateType())
            .and("aggregate_id = ?", filter.aggregateId())
            .and("tenant_id = ?", filter.tenantId())
            .and("COALESCE(done_at, created_at) >= ?", time(filter.diedFrom()))
            .and("COALESCE(done_at, created_at) < ?", time(filter.diedBefore()))
            .and("LOWER(last_error) LIKE LOWER(?) ESCAPE '!'", containing(filter.errorText()));
    return filter.ids().isEmpty()
        ? dead
        : dead.and(table.oneOf().condition("event_id", filter.ids())); // few: see MAX_IDS
  }

  /** The page's place in the order; the first comparison is for the index. */
  Condition of(DeadQuery query) {
    Condition dead = of(query.filter());
    Position after = query.after();
    if (after == null) {
      return dead;
    }
    Object time = table.time(after.createdAt());
    String place =
        query.order() == Order.OLDEST_FIRST
            ? "created_at >= ? AND (created_at > ? OR event_id > ?)"
            : "created_at <= ? AND (created_at < ? OR event_id < ?)";
    return dead.and(Condition.of(place, time, time, after.eventId()));
  }

  static String order(Order order) {
    return order == Order.OLDEST_FIRST
        ? "ORDER BY created_at, event_id"
        : "ORDER BY created_at DESC, event_id DESC";
  }

  private @Nullable Object time(@Nullable Instant time) {
    return time == null ? null : table.time(time);
  }

  /** Escapes by {@code !}: a backslash MySQL's strings take for themselves. */
  private static @Nullable String containing(@Nullable String text) {
    return text == null ? null : '%' + text.replaceAll("[!%_]", "!$0") + '%';
  }
}
