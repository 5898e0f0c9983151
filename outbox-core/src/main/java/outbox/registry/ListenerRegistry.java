package outbox.registry;

import java.util.Optional;
import java.util.Set;
import outbox.EventListener;
import outbox.util.Nullable;

/** Finds the one listener of an event; null means that the event is unroutable. */
@FunctionalInterface
public interface ListenerRegistry {

  @Nullable
  EventListener listenerFor(String aggregateType, String eventType);

  /**
   * The event types that there is a listener for now, of whatever aggregate type; none of them
   * means that nothing can be routed. The default, without a set, means that nobody knows.
   */
  default Optional<Set<String>> eventTypes() {
    return Optional.empty();
  }
}
