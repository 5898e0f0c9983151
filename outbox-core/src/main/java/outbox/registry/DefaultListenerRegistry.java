package outbox.registry;

import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import outbox.AggregateType;
import outbox.EventListener;
import outbox.EventType;
import outbox.internal.Require;
import outbox.util.Nullable;

/**
 * Holds one listener per pair of aggregate type and event type; a second one for the same pair is
 * refused. Safe for all threads.
 */
public class DefaultListenerRegistry implements ListenerRegistry {

  private record Route(String aggregateType, String eventType) {}

  private final ConcurrentMap<Route, EventListener> listeners = new ConcurrentHashMap<>();
  private volatile Set<String> eventTypes = Set.of();

  public DefaultListenerRegistry register(
      String aggregateType, String eventType, EventListener listener) {
    Require.notEmpty("aggregateType", aggregateType);
    Require.notEmpty("eventType", eventType);
    Objects.requireNonNull(listener, "listener must not be null");
    if (listeners.putIfAbsent(new Route(aggregateType, eventType), listener) != null) {
      throw new IllegalStateException(
          "a listener is already registered for aggregate type %s and event type %s; do what concerns several in one listener, or in an EventInterceptor"
              .formatted(aggregateType, eventType));
    }
    addEventType(eventType);
    return this;
  }

  public DefaultListenerRegistry register(
      AggregateType aggregateType, EventType eventType, EventListener listener) {
    return register(aggregateType.name(), eventType.name(), listener);
  }

  public DefaultListenerRegistry register(
      AggregateType aggregateType, String eventType, EventListener listener) {
    return register(aggregateType.name(), eventType, listener);
  }

  /** For events without an aggregate type. */
  public DefaultListenerRegistry register(String eventType, EventListener listener) {
    return register(AggregateType.GLOBAL, eventType, listener);
  }

  /** For events without an aggregate type. */
  public DefaultListenerRegistry register(EventType eventType, EventListener listener) {
    return register(AggregateType.GLOBAL, eventType, listener);
  }

  @Override
  public @Nullable EventListener listenerFor(String aggregateType, String eventType) {
    return listeners.get(new Route(aggregateType, eventType));
  }

  @Override
  public Optional<Set<String>> eventTypes() {
    return Optional.of(eventTypes);
  }

  private synchronized void addEventType(String eventType) {
    Set<String> more = new HashSet<>(eventTypes);
    more.add(eventType);
    eventTypes = Set.copyOf(more);
  }
}
