package outbox.samples.spring;

import org.springframework.stereotype.Component;
import outbox.spring.boot.OutboxListener;

@Component
class Shipping {

  private final Orders orders;

  Shipping(Orders orders) {
    this.orders = orders;
  }

  /** Shipping twice changes nothing: events are delivered at least once. */
  // docs:begin ship
  @OutboxListener
  void ship(OrderPlaced placed) {
    if (!orders.ship(placed.orderId())) {
      throw new IllegalStateException("no carrier takes order " + placed.orderId());
    }
  }
  // docs:end ship
}
