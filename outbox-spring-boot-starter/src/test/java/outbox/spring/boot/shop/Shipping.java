package outbox.spring.boot.shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;
import outbox.spring.boot.OutboxListener;

@Component
class Shipping {

  final List<Integer> shipped = new CopyOnWriteArrayList<>();

  // docs:begin shipping
  record OrderPlaced(int orderId) {}

  @OutboxListener("OrderPlaced")
  void ship(OrderPlaced order) {
    shipped.add(order.orderId());
  }
  // docs:end shipping
}
