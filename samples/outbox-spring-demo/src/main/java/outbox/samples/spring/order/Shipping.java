package outbox.samples.spring.order;

import java.time.Clock;
import org.springframework.stereotype.Component;
import outbox.EventEnvelope;
import outbox.EventListener;
import tools.jackson.databind.json.JsonMapper;

/** Ships each order when its event arrives. */
@Component
class Shipping implements EventListener {

  private final OrderRepository orders;
  private final JsonMapper json;
  private final Clock clock;

  Shipping(OrderRepository orders, JsonMapper json, Clock clock) {
    this.orders = orders;
    this.json = json;
    this.clock = clock;
  }

  @Override
  public void onEvent(EventEnvelope event) {
    OrderPlaced placed = json.readValue(event.payloadBytes(), OrderPlaced.class);
    Order order = orders.find(placed.orderId()).orElseThrow();
    if (order.fail()) {
      throw new IllegalStateException("no carrier takes order " + order.id());
    }
    orders.ship(order.id(), clock.instant());
  }
}
