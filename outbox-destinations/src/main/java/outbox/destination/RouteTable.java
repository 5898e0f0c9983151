package outbox.destination;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import outbox.EventEnvelope;

/** Where events go by their routes, and where those of a type can go. Immutable. */
final class RouteTable {

  /** Stands for every type that no route names. */
  private static final String ANOTHER = "";

  private final List<Route> routes;
  private final List<GuardedDestination> otherwise;
  private final Set<String> aggregateTypes = new HashSet<>(Set.of(ANOTHER));
  private final Set<String> eventTypes = new HashSet<>(Set.of(ANOTHER));
  private final Map<String, Set<GuardedDestination>> copied = new HashMap<>();

  /** Where the events of a match go. */
  record Route(EventMatch match, List<GuardedDestination> destinations) {}

  RouteTable(List<Route> routes, List<GuardedDestination> otherwise) {
    this.routes = List.copyOf(routes);
    this.otherwise = List.copyOf(otherwise);
    routes.forEach(route -> aggregateTypes.addAll(route.match().aggregateTypes()));
    routes.forEach(route -> eventTypes.addAll(route.match().eventTypes()));
    aggregateTypes.forEach(type -> copied.put(type, findCopied(type)));
  }

  /** Empty if no route matches. */
  List<GuardedDestination> destinationsOf(EventEnvelope event) {
    Set<GuardedDestination> found = new LinkedHashSet<>();
    for (Route route : routes) {
      if (route.match().matches(event)) {
        found.addAll(route.destinations());
      }
    }
    return found.isEmpty() ? otherwise : List.copyOf(found);
  }

  /** Those that some event of these types can go to. */
  Set<GuardedDestination> possible(String aggregateType, String eventType) {
    List<Route> candidates = candidates(aggregateType, eventType);
    Set<GuardedDestination> possible = new LinkedHashSet<>();
    candidates.forEach(route -> possible.addAll(route.destinations()));
    if (candidates.stream().noneMatch(route -> route.match().isByTypesOnly())) {
      possible.addAll(otherwise);
    }
    return possible;
  }

  /**
   * Those that some event of the type can go to, for each aggregate type that makes a difference.
   */
  List<Set<GuardedDestination>> possible(String eventType) {
    return aggregateTypes.stream()
        .map(aggregateType -> possible(aggregateType, eventType))
        .distinct()
        .toList();
  }

  /** Whether every event of these types has a destination. */
  boolean isComplete(String aggregateType, String eventType) {
    return !otherwise.isEmpty()
        || candidates(aggregateType, eventType).stream()
            .anyMatch(route -> route.match().isByTypesOnly());
  }

  /** Whether the destination gets copies of events of this aggregate type, of whatever type. */
  boolean isCopied(String aggregateType, GuardedDestination destination) {
    Set<GuardedDestination> found = copied.get(aggregateType);
    return Objects.requireNonNullElseGet(found, () -> Objects.requireNonNull(copied.get(ANOTHER)))
        .contains(destination);
  }

  private Set<GuardedDestination> findCopied(String aggregateType) {
    Set<GuardedDestination> found = new HashSet<>();
    for (String eventType : eventTypes) {
      Set<GuardedDestination> possible = possible(aggregateType, eventType);
      if (possible.size() > 1) {
        found.addAll(possible);
      }
    }
    return found;
  }

  private List<Route> candidates(String aggregateType, String eventType) {
    return routes.stream()
        .filter(route -> route.match().mayMatch(aggregateType, eventType))
        .toList();
  }
}
