package outbox.samples.demo.shop;

import outbox.EventEnvelope;

/** What a customer bought. */
public record Order(String id, String item, int cents) {

  static final String AGGREGATE = "Order";
  static final String PLACED = "OrderPlaced";
  static final String INVOICE_REQUESTED = "InvoiceRequested";

  public EventEnvelope placed() {
    return event(PLACED);
  }

  public EventEnvelope invoiceRequested() {
    return event(INVOICE_REQUESTED);
  }

  private EventEnvelope event(String type) {
    return EventEnvelope.builder(type)
        .aggregateType(AGGREGATE)
        .aggregateId(id)
        .payloadJson("{\"order\":\"%s\",\"item\":\"%s\",\"cents\":%d}".formatted(id, item, cents))
        .build();
  }
}
