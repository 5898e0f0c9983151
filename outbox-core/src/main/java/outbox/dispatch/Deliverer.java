package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxException;
import outbox.registry.ListenerRegistry;
import outbox.util.Nullable;

/** Hands an event to its listener, between the interceptors. */
final class Deliverer {

  private static final Logger LOG = System.getLogger(Deliverer.class.getName());

  private final ListenerRegistry registry;
  private final List<EventInterceptor> interceptors;

  Deliverer(ListenerRegistry registry, List<EventInterceptor> interceptors) {
    this.registry = registry;
    this.interceptors = interceptors;
  }

  /** Returns what went wrong, an Error included; null if the event was delivered. */
  @Nullable
  Throwable deliver(EventEnvelope event) {
    int entered = 0;
    Throwable failure = null;
    try {
      for (EventInterceptor interceptor : interceptors) {
        interceptor.beforeDispatch(event);
        entered++;
      }
      listenerFor(event).onEvent(event);
    } catch (Throwable e) {
      failure = e;
    }
    leave(event, entered, failure);
    return failure;
  }

  private EventListener listenerFor(EventEnvelope event) throws UnroutableEventException {
    EventListener listener = registry.listenerFor(event.aggregateType(), event.eventType());
    if (listener == null) {
      throw new UnroutableEventException(
          "no listener is registered for aggregate type %s and event type %s; register one, then replay event %s"
              .formatted(event.aggregateType(), event.eventType(), event.eventId()));
    }
    return listener;
  }

  private void leave(EventEnvelope event, int entered, @Nullable Throwable failure) {
    Exception error = asException(failure);
    for (int i = entered - 1; i >= 0; i--) {
      try {
        interceptors.get(i).afterDispatch(event, error);
      } catch (Throwable e) {
        LOG.log(
            Level.WARNING,
            () -> "interceptor failed after delivery, which counts all the same: " + event,
            e);
      }
    }
  }

  private static @Nullable Exception asException(@Nullable Throwable failure) {
    return failure == null || failure instanceof Exception
        ? (Exception) failure
        : new OutboxException("listener threw " + failure.getClass().getName(), failure);
  }
}
