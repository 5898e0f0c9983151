package outbox.samples.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.AbstractAggregateRoot;
import outbox.samples.jpa.OrderEvent.OrderPlaced;
import outbox.samples.jpa.OrderEvent.OrderShipped;

/** Raises an event for everything that happens to it. */
// docs:begin aggregate
@Entity
@Table(name = "customer_order")
public class Order extends AbstractAggregateRoot<Order> {

  @Id private UUID id = UUID.randomUUID();
  @Version private @Nullable Integer version;
  private boolean shipped;

  protected Order() {}

  public Order(String product, int quantity) {
    registerEvent(new OrderPlaced(id, product, quantity));
  }

  public void ship() {
    if (!shipped) {
      shipped = true;
      registerEvent(new OrderShipped(id));
    }
  }

  // docs:end aggregate

  public UUID id() {
    return id;
  }

  boolean isShipped() {
    return shipped;
  }

  /** What keeps the order of events right where two transactions change one order at once. */
  @Nullable Integer version() {
    return version;
  }
}
