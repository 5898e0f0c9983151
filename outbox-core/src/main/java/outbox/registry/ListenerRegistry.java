package outbox.registry;

import outbox.EventListener;
import outbox.util.Nullable;

/** Finds the one listener of an event; null means that the event is unroutable. */
@FunctionalInterface
public interface ListenerRegistry {

  @Nullable
  EventListener listenerFor(String aggregateType, String eventType);
}
