package outbox;

import java.util.Optional;
import java.util.Set;
import outbox.registry.ListenerRegistry;
import outbox.util.Nullable;

/** Falls back on the listener that is registered for an event type without aggregate type. */
record AnyAggregateType(ListenerRegistry exact) implements ListenerRegistry {

  @Override
  public @Nullable EventListener listenerFor(String aggregateType, String eventType) {
    EventListener listener = exact.listenerFor(aggregateType, eventType);
    return listener == null ? exact.listenerFor(AggregateType.GLOBAL.name(), eventType) : listener;
  }

  @Override
  public Optional<Set<String>> eventTypes() {
    return exact.eventTypes();
  }
}
