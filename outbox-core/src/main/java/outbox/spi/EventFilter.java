package outbox.spi;

import java.util.Set;
import outbox.EventEnvelope;
import outbox.internal.Require;
import outbox.util.Nullable;

/**
 * Which events a relay takes; an empty set takes all. An event without tenant is taken only where
 * tenants are not asked for.
 */
public record EventFilter(
    Set<String> eventTypes, Set<String> aggregateTypes, Set<String> tenantIds) {

  /** Takes every event. */
  public static final EventFilter ALL = new EventFilter(Set.of(), Set.of(), Set.of());

  public EventFilter {
    eventTypes = Set.copyOf(eventTypes);
    aggregateTypes = Set.copyOf(aggregateTypes);
    tenantIds = Set.copyOf(tenantIds);
    eventTypes.forEach(type -> Require.storable("eventType", type));
    aggregateTypes.forEach(type -> Require.storable("aggregateType", type));
    tenantIds.forEach(id -> Require.storable("tenantId", id));
  }

  public EventFilter withEventTypes(Set<String> eventTypes) {
    return new EventFilter(eventTypes, aggregateTypes, tenantIds);
  }

  public EventFilter withAggregateTypes(Set<String> aggregateTypes) {
    return new EventFilter(eventTypes, aggregateTypes, tenantIds);
  }

  public EventFilter withTenantIds(Set<String> tenantIds) {
    return new EventFilter(eventTypes, aggregateTypes, tenantIds);
  }

  public boolean takes(EventEnvelope event) {
    return takes(event.eventType(), event.aggregateType(), event.tenantId());
  }

  public boolean takes(
      String eventType, @Nullable String aggregateType, @Nullable String tenantId) {
    return contains(eventTypes, eventType)
        && contains(aggregateTypes, aggregateType)
        && contains(tenantIds, tenantId);
  }

  private static boolean contains(Set<String> wanted, @Nullable String value) {
    return wanted.isEmpty() || (value != null && wanted.contains(value));
  }
}
