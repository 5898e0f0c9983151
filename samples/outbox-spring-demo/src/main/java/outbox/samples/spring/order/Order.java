package outbox.samples.spring.order;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Shipping an order fails as long as {@code fail} is set: a fault to play with. */
record Order(
    long id,
    String product,
    int quantity,
    boolean fail,
    Instant placedAt,
    @Nullable Instant shippedAt,
    String eventId) {}
