package outbox.persistence;

import outbox.domain.OutboxEvent;

@OutboxEvent(aggregateType = "Order", aggregateId = "orderId")
public record OrderPlaced(int orderId) {}
