package outbox.destination;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import outbox.EventEnvelope;
import outbox.internal.Require;

/**
 * Which events a route is for: those that have one of the values asked for, of everything that is
 * asked for. Each thing is asked for once, with all values that it may have. Immutable.
 *
 * <pre>{@code
 * EventMatch.ofType("OrderPlaced", "OrderPaid").tenant("acme").header("region", "eu")
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

  /** Every event of one of these types. */
  public static EventMatch ofType(String... anyOf) {
    return ALL.eventType(anyOf);
  }

  /**
   * Those of them that have one of these event types.
   *
   * @throws IllegalArgumentException if event types were asked for already
   */
  public EventMatch eventType(String... anyOf) {
    return new EventMatch(first("eventType", eventTypes, anyOf), aggregateTypes, tenants, headers);
  }

  /**
   * Those of them that have one of these aggregate types.
   *
   * @throws IllegalArgumentException if aggregate types were asked for already
   */
  public EventMatch aggregateType(String... anyOf) {
    return new EventMatch(
        eventTypes, first("aggregateType", aggregateTypes, anyOf), tenants, headers);
  }

  /**
   * Those of them that have one of these tenants.
   *
   * @throws IllegalArgumentException if tenants were asked for already
   */
  public EventMatch tenant(String... anyOf) {
    return new EventMatch(eventTypes, aggregateTypes, first("tenant", tenants, anyOf), headers);
  }

  /**
   * Those of them whose header has one of these values.
   *
   * @throws IllegalArgumentException if that header was asked for already
   */
  public EventMatch header(String name, String... anyOf) {
    Require.notEmpty("header name", name);
    Map<String, Set<String>> more = new LinkedHashMap<>(headers);
    more.put(name, first("header " + name, headers.getOrDefault(name, Set.of()), anyOf));
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

  /** No event has two tenants: who asks twice wants either, and would get none. */
  private static Set<String> first(String name, Set<String> before, String... anyOf) {
    Require.check(anyOf.length > 0, name, "one value at least", "none");
    for (String value : anyOf) {
      Require.notEmpty(name, value);
    }
    List<String> values = Arrays.asList(anyOf);
    Require.check(
        before.isEmpty(),
        name,
        "asked for once, with all values that it may have",
        values + " after " + new TreeSet<>(before));
    return Set.copyOf(values);
  }
}
