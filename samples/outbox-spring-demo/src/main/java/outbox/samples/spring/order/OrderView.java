package outbox.samples.spring.order;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.samples.spring.event.EventView;

/** An order with its event, as long as that hasn't been purged. */
record OrderView(
    long id,
    String product,
    int quantity,
    Instant placedAt,
    @Nullable Instant shippedAt,
    @Nullable EventView event) {

  static OrderView of(Order order, @Nullable EventView event) {
    return new OrderView(
        order.id(), order.product(), order.quantity(), order.placedAt(), order.shippedAt(), event);
  }
}
