package outbox.destination;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import outbox.EventListener;
import outbox.internal.Require;
import outbox.registry.ListenerRegistry;

/**
 * Several handlers of one event within this process: each try runs all of them, whatever one of
 * them throws, and what they threw becomes one failure. An event type without a handler is
 * unroutable.
 *
 * <p>A try that failed runs all handlers again, also those that were done: be idempotent by event
 * id. Those that must not wait for each other are {@link DestinationRoutes destinations} instead.
 *
 * <pre>{@code
 * EventHandlers handlers =
 *     EventHandlers.builder()
 *         .on("OrderPlaced", "mail", mailer::confirm)
 *         .on("OrderPlaced", "search", index::add)
 *         .annotated(new Stock()) // its methods with @Handles
 *         .build();
 * }</pre>
 */
public final class EventHandlers implements ListenerRegistry {

  private final Map<String, EventListener> byType;

  private EventHandlers(Map<String, List<NamedHandler>> handlers) {
    Map<String, EventListener> groups = new LinkedHashMap<>();
    handlers.forEach((type, named) -> groups.put(type, new HandlerGroup(named)));
    byType = Map.copyOf(groups);
  }

  /** A handler, and what it is called when it fails. */
  record NamedHandler(String name, EventListener handler) {}

  public static Builder builder() {
    return new Builder();
  }

  /** Handlers don't ask for the aggregate type. */
  @Override
  public @Nullable EventListener listenerFor(String aggregateType, String eventType) {
    return byType.get(eventType);
  }

  @Override
  public Optional<Set<String>> eventTypes() {
    return Optional.of(byType.keySet());
  }

  @Override
  public String toString() {
    return "EventHandlers" + new TreeSet<>(byType.keySet());
  }

  /** Builds {@link EventHandlers}. */
  public static final class Builder {

    private final Map<String, List<NamedHandler>> handlers = new LinkedHashMap<>();

    private Builder() {}

    /**
     * One more handler of the event type.
     *
     * @param name what it is called when it fails; unique for its event type
     */
    public Builder on(String eventType, String name, EventListener handler) {
      Require.notEmpty("eventType", eventType);
      Require.notEmpty("name of the handler", name);
      Objects.requireNonNull(handler, "handler must not be null");
      List<NamedHandler> named = handlers.computeIfAbsent(eventType, type -> new ArrayList<>());
      Require.check(
          named.stream().noneMatch(other -> other.name().equals(name)),
          "name of the handler",
          "unique for event type " + eventType,
          name);
      named.add(new NamedHandler(name, handler));
      return this;
    }

    /**
     * Every method with {@link Handles}, whatever its visibility. It takes the {@link
     * outbox.EventEnvelope} and returns nothing.
     *
     * @throws IllegalArgumentException if one has another shape, or if there is none
     */
    public Builder annotated(Object object) {
      AnnotatedHandlers.of(object)
          .forEach(found -> on(found.eventType(), found.name(), found.handler()));
      return this;
    }

    /**
     * The handlers so far.
     *
     * @throws IllegalStateException without any handler
     */
    public EventHandlers build() {
      if (handlers.isEmpty()) {
        throw new IllegalStateException(
            "no handler is registered, so every event would be unroutable; call on or annotated");
      }
      return new EventHandlers(handlers);
    }
  }
}
