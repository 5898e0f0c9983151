package outbox.samples.spring.order;

/** The payload of {@link OrderEvents#ORDER_PLACED}. */
record OrderPlaced(long orderId, String product, int quantity) {}
