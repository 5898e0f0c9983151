package outbox.samples.modulith.orders;

import org.springframework.modulith.events.Externalized;

// docs:begin externalized
@Externalized("orders::#{orderId()}")
public record OrderPlaced(int orderId, String product) {}
// docs:end externalized
