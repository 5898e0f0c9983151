package outbox.samples.spring.order;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import tools.jackson.databind.json.JsonMapper;

@Service
class OrderService {

  private final OrderRepository orders;
  private final OutboxWriter outbox;
  private final JsonMapper json;
  private final Clock clock;

  OrderService(OrderRepository orders, OutboxWriter outbox, JsonMapper json, Clock clock) {
    this.orders = orders;
    this.outbox = outbox;
    this.json = json;
    this.clock = clock;
  }

  /** Order and event in one transaction: either both exist, or neither. */
  @Transactional
  public Order place(NewOrder request) {
    long id = orders.nextId();
    EventEnvelope event = placed(new OrderPlaced(id, request.product(), request.quantity()));
    Order order =
        new Order(
            id,
            request.product(),
            request.quantity(),
            request.isFaulty(),
            clock.instant().truncatedTo(ChronoUnit.MICROS),
            null,
            event.eventId());
    orders.insert(order);
    outbox.write(event);
    return order;
  }

  private EventEnvelope placed(OrderPlaced payload) {
    return EventEnvelope.builder(OrderEvents.ORDER_PLACED)
        .aggregateType(OrderEvents.ORDER)
        .aggregateId(Long.toString(payload.orderId()))
        .payloadJson(json.writeValueAsString(payload))
        .build();
  }
}
