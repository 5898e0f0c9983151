package outbox.spring.broken;

import outbox.domain.OutboxEvent;

/** Has an event type that a class of another package has, too. */
@OutboxEvent("invoice.sent")
public record InvoiceResent(int number) {}
