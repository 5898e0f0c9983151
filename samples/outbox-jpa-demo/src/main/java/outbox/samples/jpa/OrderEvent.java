package outbox.samples.jpa;

import java.util.UUID;
import outbox.domain.OutboxEvent;

// docs:begin events
@OutboxEvent(aggregateType = "Order", aggregateId = "orderId")
public sealed interface OrderEvent {

  UUID orderId();

  record OrderPlaced(UUID orderId, String product, int quantity) implements OrderEvent {}

  record OrderShipped(UUID orderId) implements OrderEvent {}
}
// docs:end events
