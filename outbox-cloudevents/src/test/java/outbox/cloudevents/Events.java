package outbox.cloudevents;

import java.net.URI;
import java.time.Instant;
import outbox.EventEnvelope;

/** Events to write. */
final class Events {

  static final URI SOURCE = URI.create("https://shop.example/orders");

  private Events() {}

  static EventEnvelope.Builder order() {
    return EventEnvelope.builder("order.placed.v1")
        .eventId("01J0000000000000000000000A")
        .occurredAt(Instant.parse("2030-01-31T12:00:00.000001Z"))
        .aggregateType("Order")
        .aggregateId("order-42")
        .tenantId("acme");
  }

  static EventEnvelope full() {
    return order()
        .payloadJson("{\"total\": 99.10}")
        .schema("https://schemas.example/order", "2")
        .correlationId("c-1")
        .causationId("k-1")
        .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        .header("tracestate", "vendor=1")
        .header("channel", "web")
        .build();
  }
}
