package outbox.jdbc.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.internal.Condition;
import outbox.jdbc.internal.OneOf;
import outbox.model.EventKey;
import outbox.spi.EventFilter;
import outbox.spi.OrderedScan;

/** The conditions that find the events of a scan. */
final class ScanConditions {

  private final OneOf oneOf;
  private final String bucket;

  ScanConditions(OrderedTables tables) {
    oneOf = tables.events().oneOf();
    bucket = tables.dialect().bucket();
  }

  /** Whatever status they have. */
  Condition of(OrderedScan scan, long upTo) {
    Condition where = Condition.of("seq > ? AND seq <= ?", scan.after(), upTo);
    if (!scan.isWhole()) {
      where = where.and(oneOf.condition(bucket, scan.buckets().stream().boxed().toList()));
    }
    if (!scan.only().isEmpty()) {
      where = where.and(keys(scan.only()));
    }
    if (!scan.except().isEmpty()) {
      where = where.and(except(scan.except()));
    }
    EventFilter filter = scan.filter();
    where = wanted(where, "event_type", filter.eventTypes());
    where = wanted(where, "aggregate_type", filter.aggregateTypes());
    return wanted(where, "tenant_id", filter.tenantIds());
  }

  /** By CASE, because of what has no type or no aggregate: NOT of unknown is unknown. */
  private Condition except(Set<EventKey> except) {
    Condition keys = keys(oneOf.chunks(List.copyOf(except)).get(0));
    return new Condition("CASE WHEN " + keys.sql() + " THEN 1 ELSE 0 END = 0", keys.parameters());
  }

  /** One alternative per aggregate type: types are few, ids are many. */
  private Condition keys(Collection<EventKey> keys) {
    List<Condition> alternatives = new ArrayList<>();
    List<EventKey> untyped = keys.stream().filter(key -> key.aggregateType() == null).toList();
    if (!untyped.isEmpty()) {
      alternatives.add(Condition.of("aggregate_type IS NULL").and(ids(untyped)));
    }
    Map<@Nullable String, List<EventKey>> typed =
        keys.stream()
            .filter(key -> key.aggregateType() != null)
            .collect(
                Collectors.groupingBy(EventKey::aggregateType, TreeMap::new, Collectors.toList()));
    typed.forEach(
        (type, ofType) ->
            alternatives.add(Condition.of("aggregate_type = ?", type).and(ids(ofType))));
    return new Condition(
        alternatives.stream().map(Condition::sql).collect(Collectors.joining(" OR ", "(", ")")),
        alternatives.stream().flatMap(any -> any.parameters().stream()).toList());
  }

  private Condition ids(List<EventKey> keys) {
    return oneOf.condition("aggregate_id", keys.stream().map(EventKey::aggregateId).toList());
  }

  private Condition wanted(Condition where, String column, Set<String> values) {
    return values.isEmpty() ? where : where.and(oneOf.condition(column, new TreeSet<>(values)));
  }
}
