package outbox.dispatch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.model.EventKind;
import outbox.registry.ListenerRegistry;

/** Finds the listener of an event; where there is none, one that fails with the reason. */
final class Router {

  private static final EventListener UNROUTABLE =
      event -> {
        throw new UnroutableEventException(
            "no listener is registered for aggregate type %s and event type %s; register one, then replay event %s"
                .formatted(event.aggregateType(), event.eventType(), event.eventId()));
      };

  private static final int MOST_KNOWN = 10_000;

  private final ListenerRegistry registry;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  Router(ListenerRegistry registry) {
    this.registry = registry;
  }

  EventListener listenerFor(EventEnvelope event) {
    EventListener listener;
    try {
      listener = registry.listenerFor(event.aggregateType(), event.eventType());
    } catch (Throwable e) {
      return failing(e);
    }
    return listener == null ? UNROUTABLE : listener;
  }

  /** Also true if that can't be told now: the delivery will. */
  boolean hasListenerFor(EventEnvelope event) {
    return listenerFor(event) != UNROUTABLE;
  }

  /** Whether there are listeners of more than one event type, or nobody knows. */
  boolean hasSeveral() {
    try {
      return registry.eventTypes().map(types -> types.size() > 1).orElse(true);
    } catch (Throwable e) {
      return true;
    }
  }

  /** Whether there is a listener that took such events before, and takes none for now. */
  boolean isWithdrawn(EventKind kind) {
    try {
      Set<String> offered = registry.eventTypes().orElse(null);
      if (offered == null) {
        return false;
      }
      if (offered.contains(kind.eventType())) {
        remember(kind.eventType());
        return false;
      }
      return known.contains(kind.eventType())
          && registry.listenerFor(kind.aggregateType(), kind.eventType()) != null;
    } catch (Throwable e) {
      return false; // the delivery will tell
    }
  }

  private void remember(String eventType) {
    if (!known.contains(eventType) && known.size() < MOST_KNOWN) {
      known.add(eventType);
    }
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
