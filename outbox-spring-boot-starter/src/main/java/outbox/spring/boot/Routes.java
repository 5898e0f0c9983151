package outbox.spring.boot;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.EventListener;
import outbox.registry.ListenerRegistry;

/**
 * The listeners that annotations name. Of several for an event, that of its own outbox gets it, and
 * of those the one of its own aggregate type. Empty until all beans are there.
 */
final class Routes implements ListenerRegistry {

  private final @Nullable String outbox;
  private final Map<String, Routes> named = new ConcurrentHashMap<>();
  private volatile Map<Route, EventListener> listeners = Map.of();
  private volatile Set<String> eventTypes = Set.of();

  /** Of the only outbox, or of those that the application makes itself. */
  Routes() {
    this(null);
  }

  private Routes(@Nullable String outbox) {
    this.outbox = outbox;
  }

  /**
   * @param outbox null: any
   * @param aggregateType null: any
   */
  record Route(@Nullable String outbox, @Nullable String aggregateType, String eventType) {

    @Override
    public String toString() {
      return "event type "
          + eventType
          + (aggregateType == null ? "" : " of aggregate type " + aggregateType)
          + (outbox == null ? "" : " in outbox " + outbox);
    }
  }

  /** Of one of several outboxes; these if the name is empty. */
  Routes of(String name) {
    return name.isEmpty() ? this : named.computeIfAbsent(name, this::ofNamed);
  }

  private Routes ofNamed(String name) {
    Routes routes = new Routes(name);
    routes.set(listeners);
    return routes;
  }

  void set(Map<Route, ? extends EventListener> all) {
    Set<String> types = new HashSet<>();
    all.keySet().stream()
        .filter(route -> route.outbox() == null || route.outbox().equals(outbox))
        .forEach(route -> types.add(route.eventType()));
    listeners = Map.copyOf(all);
    eventTypes = Set.copyOf(types);
    named.values().forEach(each -> each.set(all));
  }

  @Override
  public @Nullable EventListener listenerFor(String aggregateType, String eventType) {
    for (Route route :
        List.of(
            new Route(outbox, aggregateType, eventType),
            new Route(outbox, null, eventType),
            new Route(null, aggregateType, eventType),
            new Route(null, null, eventType))) {
      EventListener listener = listeners.get(route);
      if (listener != null) {
        return listener;
      }
    }
    return null;
  }

  @Override
  public Optional<Set<String>> eventTypes() {
    return Optional.of(eventTypes);
  }
}
