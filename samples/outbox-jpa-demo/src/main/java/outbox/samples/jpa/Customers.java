package outbox.samples.jpa;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.stereotype.Component;
import outbox.samples.jpa.OrderEvent.OrderPlaced;
import outbox.samples.jpa.OrderEvent.OrderShipped;
import outbox.spring.boot.OutboxListener;

/** Tells customers what became of their orders. */
@Component
class Customers {

  private final BlockingQueue<String> mails = new LinkedBlockingQueue<>();

  // docs:begin listeners
  @OutboxListener(ordered = true)
  void thank(OrderPlaced order) {
    mails.add("thank you for %d x %s".formatted(order.quantity(), order.product()));
  }

  @OutboxListener(ordered = true)
  void announce(OrderShipped order) {
    mails.add("order %s is on its way".formatted(order.orderId()));
  }

  // docs:end listeners

  /** Those that were sent and not taken yet. */
  BlockingQueue<String> mails() {
    return mails;
  }
}
