package outbox.persistence.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.springframework.data.domain.AbstractAggregateRoot;
import org.springframework.data.domain.Persistable;
import outbox.persistence.OrderPlaced;

/** An aggregate whose base class keeps its events until it is saved. */
@Entity
class CustomerOrder extends AbstractAggregateRoot<CustomerOrder> implements Persistable<Integer> {

  @Id private Integer id;

  protected CustomerOrder() {}

  static CustomerOrder place(int id) {
    CustomerOrder order = new CustomerOrder();
    order.id = id;
    order.registerEvent(new OrderPlaced(id));
    return order;
  }

  @Override
  public Integer getId() {
    return id;
  }

  /** As orders are only ever placed here: saving inserts, and never looks first. */
  @Override
  public boolean isNew() {
    return true;
  }
}
