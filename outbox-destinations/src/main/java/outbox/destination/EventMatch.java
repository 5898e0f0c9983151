package outbox.destination;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import outbox.EventEnvelope;
import outbox.internal.Require;

/**
 * Which events a route is for: those that have one of the values asked for, of everything that is
 * asked for. Immutable.
 *
 * <pre>{@code
 * EventMatch.eventType("OrderPlaced", "OrderPaid").tenant("acme").header("region", "eu")
 * }</pre>
 */
public final class EventMatch {

  private static final EventMatch ALL = new EventMatch(Set.of(), Set.of(), Set.of(), Map.of());

  private final Set<String> eventTypes;
  private final Set<String> aggregateTypes;
  private final Set<String> tenants;
  private final Map<String, Set<String>> headers;

  private EventMatch(
      Set<String> eventTypes,
      Set<String> aggregateTypes,
      Set<String> tenants,
      Map<String, Set<String>> headers) {
    this.eventTypes = eventTypes;
    this.aggregateTypes = aggregateTypes;
    this.tenants = tenants;
    this.headers = headers;
  }

  /** Every event. */
  public static EventMatch all() {
    return ALL;
  }

  public static EventMatch eventType(String... anyOf) {
    return new EventMatch(values("eventType", anyOf), Set.of(), Set.of(), Map.of());
  }

  public EventMatch aggregateType(String... anyOf) {
    return new EventMatch(eventTypes, values("aggregateType", anyOf), tenants, headers);
  }

  public EventMatch tenant(String... anyOf) {
    return new EventMatch(eventTypes, aggregateTypes, values("tenant", anyOf), headers);
  }

  public EventMatch header(String name, String... anyOf) {
    Map<String, Set<String>> more = new LinkedHashMap<>(headers);
    more.put(Require.notEmpty("header name", name), values("header " + name, anyOf));
    return new EventMatch(eventTypes, aggregateTypes, tenants, Map.copyOf(more));
  }

  boolean matches(EventEnvelope event) {
    return mayMatch(event.aggregateType(), event.eventType())
        && (tenants.isEmpty() || (event.tenantId() != null && tenants.contains(event.tenantId())))
        && headers.entrySet().stream()
            .allMatch(
                header -> {
                  String value = event.header(header.getKey());
                  return value != null && header.getValue().contains(value);
                });
  }

  /** Whether an event of these types can match. */
  boolean mayMatch(String aggregateType, String eventType) {
    return (eventTypes.isEmpty() || eventTypes.contains(eventType))
        && (aggregateTypes.isEmpty() || aggregateTypes.contains(aggregateType));
  }

  /** Whether every event of these types matches that may. */
  boolean isByTypesOnly() {
    return tenants.isEmpty() && headers.isEmpty();
  }

  /** None means all. */
  Set<String> eventTypes() {
    return eventTypes;
  }

  /** None means all. */
  Set<String> aggregateTypes() {
    return aggregateTypes;
  }

  private static Set<String> values(String name, String... anyOf) {
    Require.check(anyOf.length > 0, name, "one value at least", "none");
    for (String value : anyOf) {
      Require.notEmpty(name, value);
    }
    return Set.copyOf(Arrays.asList(anyOf));
  }
}
