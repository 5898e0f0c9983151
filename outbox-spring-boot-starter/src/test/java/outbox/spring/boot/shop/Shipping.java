package outbox.spring.boot.shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;
import outbox.spring.boot.OutboxListener;

// docs:begin shipping
@Component
class Shipping {

  record OrderPlaced(int orderId) {}

  @OutboxListener("OrderPlaced")
  void ship(OrderPlaced order) {
    shipped.add(order.orderId());
  }

  // docs:end shipping

  final List<Integer> shipped = new CopyOnWriteArrayList<>();
}
