package outbox.dispatch;

import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.registry.ListenerRegistry;

/** Finds the listener of an event; where there is none, one that fails with the reason. */
final class Router {

  private static final EventListener UNROUTABLE =
      event -> {
        throw new UnroutableEventException(
            "no listener is registered for aggregate type %s and event type %s; register one, then replay event %s"
                .formatted(event.aggregateType(), event.eventType(), event.eventId()));
      };

  private final ListenerRegistry registry;

  Router(ListenerRegistry registry) {
    this.registry = registry;
  }

  EventListener listenerFor(EventEnvelope event) {
    return listenerFor(event.aggregateType(), event.eventType());
  }

  EventListener listenerFor(String aggregateType, String eventType) {
    EventListener listener;
    try {
      listener = registry.listenerFor(aggregateType, eventType);
    } catch (Throwable e) {
      return failing(e);
    }
    return listener == null ? UNROUTABLE : listener;
  }

  /** Also true if that can't be told now: the delivery will. */
  boolean hasListenerFor(EventEnvelope event) {
    return listenerFor(event) != UNROUTABLE;
  }

  private static EventListener failing(Throwable cause) {
    return event -> {
      if (cause instanceof Error error) {
        throw error;
      }
      throw (Exception) cause;
    };
  }
}
