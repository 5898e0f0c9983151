package outbox.samples.modulith.inventory;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;
import outbox.samples.modulith.orders.OrderPlaced;

@Component
public class Inventory {

  private final BlockingQueue<String> reserved = new LinkedBlockingQueue<>();

  @ApplicationModuleListener
  void reserve(OrderPlaced order) {
    reserved.add(order.product());
  }

  public BlockingQueue<String> reserved() {
    return reserved;
  }
}
