package outbox.samples.jpa;

import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class OrderService {

  private final Orders orders;

  OrderService(Orders orders) {
    this.orders = orders;
  }

  @Transactional
  public UUID place(String product, int quantity) {
    return orders.save(new Order(product, quantity)).id();
  }

  // docs:begin service
  @Transactional
  public void ship(UUID orderId) {
    Order order = orders.findById(orderId).orElseThrow();
    order.ship();
    orders.save(order); // JPA would notice the change anyway; its events are published by save only
  }
  // docs:end service
}
