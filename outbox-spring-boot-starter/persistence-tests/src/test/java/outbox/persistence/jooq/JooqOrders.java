package outbox.persistence.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import org.jooq.DSLContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.persistence.OrderPlaced;
import outbox.persistence.Orders;

@Service
@Transactional
class JooqOrders implements Orders {

  private final DSLContext jooq;
  private final ApplicationEventPublisher events;

  JooqOrders(DSLContext jooq, ApplicationEventPublisher events) {
    this.jooq = jooq;
    this.events = events;
  }

  @Override
  public void place(int orderId) {
    jooq.insertInto(table("customer_order"), field("id", Integer.class)).values(orderId).execute();
    events.publishEvent(new OrderPlaced(orderId));
  }

  @Override
  public void placeAndFail(int orderId) {
    place(orderId);
    throw new IllegalStateException("out of stock");
  }

  @Override
  public long placeAndCountEvents(int orderId) {
    place(orderId);
    return jooq.fetchCount(table("outbox_event"));
  }
}
