package outbox.persistence.jpa;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.persistence.Orders;

/** Publishes nothing itself: the repository does, for the aggregate. */
@Service
@Transactional
class JpaOrders implements Orders {

  private final CustomerOrders orders;

  JpaOrders(CustomerOrders orders) {
    this.orders = orders;
  }

  @Override
  public void place(int orderId) {
    orders.save(CustomerOrder.place(orderId));
  }

  @Override
  public void placeAndFail(int orderId) {
    place(orderId);
    throw new IllegalStateException("out of stock");
  }

  @Override
  public long placeAndCountEvents(int orderId) {
    place(orderId);
    return orders.countEvents();
  }
}
