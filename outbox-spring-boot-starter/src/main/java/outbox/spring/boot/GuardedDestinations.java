package outbox.spring.boot;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import outbox.destination.DestinationHealth;
import outbox.destination.DestinationRoutes;
import outbox.destination.GuardedDestination;

/**
 * Every {@link GuardedDestination} bean, and those that {@link DestinationRoutes} beans lead to;
 * operators are shown those of parent contexts too, because a child may be the only one that has a
 * web server.
 */
record GuardedDestinations(ListableBeanFactory beans) implements WatchedDestinations {

  /** Without those of parent contexts. */
  List<GuardedDestination> ofThisContext() {
    return distinct(
        beans.getBeansOfType(GuardedDestination.class, false, true).values(),
        beans.getBeansOfType(DestinationRoutes.class, false, true).values());
  }

  @Override
  public List<Map<String, Object>> shown() {
    return shown(all());
  }

  @Override
  public List<Map<String, Object>> pause(String name) {
    return change(name, GuardedDestination::pause);
  }

  @Override
  public List<Map<String, Object>> resume(String name) {
    return change(name, GuardedDestination::resume);
  }

  private List<GuardedDestination> all() {
    return distinct(
        BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, GuardedDestination.class, false, true)
            .values(),
        BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, DestinationRoutes.class, false, true)
            .values());
  }

  /** A destination of routes may be a bean itself. */
  private static List<GuardedDestination> distinct(
      Collection<GuardedDestination> guards, Collection<DestinationRoutes> routes) {
    Set<GuardedDestination> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<GuardedDestination> all = new ArrayList<>(guards);
    routes.forEach(each -> all.addAll(each.destinations()));
    all.removeIf(guard -> !seen.add(guard));
    return all;
  }

  /** Different outboxes may have destinations of the same name: then it is all of them. */
  private List<Map<String, Object>> change(String name, Consumer<GuardedDestination> change) {
    List<GuardedDestination> all = all();
    List<GuardedDestination> named = all.stream().filter(to -> to.name().equals(name)).toList();
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "destination must be one of %s, as in pause/NAME, got: \"%s\""
              .formatted(all.stream().map(GuardedDestination::name).toList(), name));
    }
    named.forEach(change);
    return shown(named);
  }

  private static List<Map<String, Object>> shown(List<GuardedDestination> destinations) {
    return destinations.stream().map(to -> shown(to.health())).toList();
  }

  private static Map<String, Object> shown(DestinationHealth health) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("destination", health.name());
    shown.put("state", health.state().name());
    shown.put("since", health.since().toString());
    shown.put("inFlight", health.inFlight());
    shown.put("delivered", health.delivered());
    shown.put("failed", health.failed());
    shown.put("deferred", health.deferred());
    shown.put("outages", health.outages());
    if (health.lastError() != null && health.lastErrorAt() != null) {
      shown.put("lastError", health.lastError());
      shown.put("lastErrorAt", health.lastErrorAt().toString());
    }
    return shown;
  }
}
