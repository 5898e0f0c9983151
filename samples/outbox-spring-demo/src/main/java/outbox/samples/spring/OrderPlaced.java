package outbox.samples.spring;

import outbox.domain.OutboxEvent;

// docs:begin event
@OutboxEvent(aggregateType = "Order", aggregateId = "orderId")
record OrderPlaced(long orderId) {}
// docs:end event
