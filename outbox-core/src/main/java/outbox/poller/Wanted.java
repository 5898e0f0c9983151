package outbox.poller;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import outbox.EventEnvelope;
import outbox.internal.Require;
import outbox.registry.ListenerRegistry;
import outbox.spi.EventFilter;
import outbox.util.Nullable;

/** Which events a poller asks for: those of its filter, and of these the ones it can route. */
record Wanted(Supplier<EventFilter> filter, @Nullable ListenerRegistry registry) {

  Wanted {
    Require.given("filter", filter);
  }

  /** As of now; empty if it is nothing at all. */
  Optional<EventFilter> now() {
    EventFilter asked = filter.get();
    Optional<Set<String>> routable = registry == null ? Optional.empty() : registry.eventTypes();
    if (routable.isEmpty()) {
      return Optional.of(asked);
    }
    Set<String> eventTypes = common(asked.eventTypes(), routable.get());
    return eventTypes.isEmpty() ? Optional.empty() : Optional.of(asked.withEventTypes(eventTypes));
  }

  /** Writers ask this of every event, so that it must not cost more the more types there are. */
  boolean takes(EventEnvelope event) {
    return filter.get().takes(event) && isRoutable(event.eventType());
  }

  private boolean isRoutable(String eventType) {
    return registry == null
        || registry.eventTypes().map(types -> types.contains(eventType)).orElse(true);
  }

  private static Set<String> common(Set<String> asked, Set<String> routable) {
    if (asked.isEmpty()) {
      return routable; // no event type asked for means all of them
    }
    Set<String> common = new HashSet<>(asked);
    common.retainAll(routable);
    return common;
  }
}
