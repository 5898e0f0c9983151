package outbox.spring.boot;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.EventListener;
import outbox.registry.ListenerRegistry;

/**
 * The listeners that annotations name. Where there is none for an event's own aggregate type, the
 * one for whatever aggregate type gets it. Empty until all beans are there.
 */
final class Routes implements ListenerRegistry {

  private volatile Map<Route, EventListener> listeners = Map.of();
  private volatile Set<String> eventTypes = Set.of();

  /**
   * @param aggregateType null: any
   */
  record Route(@Nullable String aggregateType, String eventType) {

    @Override
    public String toString() {
      return aggregateType == null
          ? "event type " + eventType
          : "event type %s of aggregate type %s".formatted(eventType, aggregateType);
    }
  }

  void set(Map<Route, ? extends EventListener> all) {
    Set<String> types = new HashSet<>();
    all.keySet().forEach(route -> types.add(route.eventType()));
    listeners = Map.copyOf(new HashMap<>(all));
    eventTypes = Set.copyOf(types);
  }

  @Override
  public @Nullable EventListener listenerFor(String aggregateType, String eventType) {
    EventListener exact = listeners.get(new Route(aggregateType, eventType));
    return exact == null ? listeners.get(new Route(null, eventType)) : exact;
  }

  @Override
  public Optional<Set<String>> eventTypes() {
    return Optional.of(eventTypes);
  }
}
