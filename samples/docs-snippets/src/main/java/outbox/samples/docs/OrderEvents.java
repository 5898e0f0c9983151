package outbox.samples.docs;

import java.util.Map;
import outbox.AggregateType;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.EventType;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;

/** Events with types of their own, a place in the domain, and headers. */
final class OrderEvents {

  // docs:begin types
  enum Aggregates implements AggregateType {
    ORDER
  }

  enum Events implements EventType {
    ORDER_PLACED,
    ORDER_CANCELLED
  }

  // docs:end types

  private OrderEvents() {}

  static EventEnvelope placed(String orderId, String json) {
    // docs:begin envelope
    EventEnvelope event =
        EventEnvelope.builder(Events.ORDER_PLACED)
            .aggregateType(Aggregates.ORDER)
            .aggregateId(orderId)
            .headers(Map.of("source", "checkout"))
            .payloadJson(json)
            .build();
    // docs:end envelope
    return event;
  }

  static ListenerRegistry listeners(EventListener placed, EventListener cancelled) {
    // docs:begin listeners
    ListenerRegistry listeners =
        new DefaultListenerRegistry()
            .register(Aggregates.ORDER, Events.ORDER_PLACED, placed)
            .register(Aggregates.ORDER, Events.ORDER_CANCELLED, cancelled);
    // docs:end listeners
    return listeners;
  }
}
