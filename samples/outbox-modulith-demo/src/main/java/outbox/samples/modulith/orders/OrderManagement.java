package outbox.samples.modulith.orders;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class OrderManagement {

  private final ApplicationEventPublisher events;

  OrderManagement(ApplicationEventPublisher events) {
    this.events = events;
  }

  @Transactional
  public void place(int orderId, String product) {
    if (product.isBlank()) {
      throw new IllegalArgumentException("product must not be blank");
    }
    events.publishEvent(new OrderPlaced(orderId, product));
  }
}
