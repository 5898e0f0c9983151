package outbox.spring.boot;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import outbox.destination.DestinationHealth;
import outbox.destination.DestinationRoutes;
import outbox.destination.GuardedDestination;

/**
 * Every {@link GuardedDestination} bean, and those that {@link DestinationRoutes} beans lead to;
 * operators are shown those of parent contexts too, because a child may be the only one that has a
 * web server. One that is lazy and that nobody has used yet is not made by being looked for.
 */
record GuardedDestinations(ListableBeanFactory beans) implements WatchedDestinations {

  /** Without those of parent contexts. */
  List<GuardedDestination> ofThisContext() {
    return distinct(Stream.of(beans));
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
        Stream.<BeanFactory>iterate(beans, Objects::nonNull, GuardedDestinations::parent));
  }

  private static @Nullable BeanFactory parent(BeanFactory beans) {
    return beans instanceof HierarchicalBeanFactory child ? child.getParentBeanFactory() : null;
  }

  /** A destination of routes may be a bean itself. */
  private static List<GuardedDestination> distinct(Stream<? extends BeanFactory> contexts) {
    Set<GuardedDestination> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    return contexts.flatMap(GuardedDestinations::of).filter(seen::add).toList();
  }

  private static Stream<GuardedDestination> of(BeanFactory beans) {
    return Stream.concat(
        made(beans, GuardedDestination.class),
        made(beans, DestinationRoutes.class).flatMap(routes -> routes.destinations().stream()));
  }

  private static <T> Stream<T> made(BeanFactory beans, Class<T> type) {
    if (!(beans instanceof ConfigurableListableBeanFactory all)) {
      return Stream.empty();
    }
    return Arrays.stream(all.getBeanNamesForType(type, false, false))
        .filter(all::containsSingleton)
        .map(all::getBean)
        .filter(type::isInstance)
        .map(type::cast);
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
