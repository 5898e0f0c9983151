package outbox.persistence;

import java.util.ArrayList;
import java.util.List;
import outbox.spring.boot.OutboxListener;

public class Shipping {

  private final List<OrderPlaced> shipped = new ArrayList<>();

  @OutboxListener("OrderPlaced")
  synchronized void ship(OrderPlaced order) {
    shipped.add(order);
  }

  @OutboxListener({"Issued", "Due"})
  void file(String invoice) {}

  public synchronized List<OrderPlaced> shipped() {
    return List.copyOf(shipped);
  }
}
