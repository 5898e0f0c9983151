package outbox.testing;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DeadQuery.Order;
import outbox.model.DeadQuery.Position;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.spi.DeadBatch;

/** What a filter and a page say of rows in memory. */
final class DeadRows {

  private static final Comparator<Position> BY_CREATION =
      Comparator.comparing(Position::createdAt).thenComparing(Position::eventId);

  private DeadRows() {}

  static MemoryTable.Selection of(DeadQuery query) {
    Predicate<EventDetails> onPage =
        row -> matches(query.filter(), row) && comesAfter(query, Position.of(row.event()));
    return new MemoryTable.Selection(
        true, onPage, query.order() == Order.NEWEST_FIRST, query.limit());
  }

  static boolean matches(DeadFilter filter, EventDetails row) {
    return row.status() == EventStatus.DEAD
        && (filter.ids().isEmpty() || filter.ids().contains(row.event().eventId()))
        && isOrAny(filter.eventType(), row.event().eventType())
        && isOrAny(filter.aggregateType(), row.event().aggregateType())
        && isOrAny(filter.aggregateId(), row.event().aggregateId())
        && isOrAny(filter.tenantId(), row.event().tenantId())
        && diedInTime(filter, row)
        && contains(row.lastError(), filter.errorText());
  }

  static DeadBatch batch(List<EventDetails> changed) {
    Position last = changed.isEmpty() ? null : Position.of(changed.get(changed.size() - 1).event());
    return new DeadBatch(changed.size(), last);
  }

  private static boolean comesAfter(DeadQuery query, Position position) {
    if (query.after() == null) {
      return true;
    }
    int order = BY_CREATION.compare(position, query.after());
    return query.order() == Order.OLDEST_FIRST ? order > 0 : order < 0;
  }

  private static boolean isOrAny(@Nullable String wanted, @Nullable String value) {
    return wanted == null || wanted.equals(value);
  }

  private static boolean diedInTime(DeadFilter filter, EventDetails row) {
    Instant died = row.doneAt() == null ? row.event().createdAt() : row.doneAt();
    return (filter.diedFrom() == null || !died.isBefore(micros(filter.diedFrom())))
        && (filter.diedBefore() == null || died.isBefore(micros(filter.diedBefore())));
  }

  /** As precise as databases are. */
  private static Instant micros(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  private static boolean contains(@Nullable String error, @Nullable String text) {
    return text == null
        || (error != null
            && error.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT)));
  }
}
