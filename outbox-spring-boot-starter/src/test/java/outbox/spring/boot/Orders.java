package outbox.spring.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The simplest listener. */
class Orders {

  final List<Integer> placed = new CopyOnWriteArrayList<>();

  record OrderPlaced(int orderId) {}

  @OutboxListener("OrderPlaced")
  void placed(OrderPlaced order) {
    placed.add(order.orderId());
  }
}
