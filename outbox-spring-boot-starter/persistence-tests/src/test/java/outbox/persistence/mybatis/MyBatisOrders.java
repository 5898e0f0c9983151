package outbox.persistence.mybatis;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.persistence.OrderPlaced;
import outbox.persistence.Orders;

@Service
@Transactional
class MyBatisOrders implements Orders {

  private final OrderMapper mapper;
  private final ApplicationEventPublisher events;

  MyBatisOrders(OrderMapper mapper, ApplicationEventPublisher events) {
    this.mapper = mapper;
    this.events = events;
  }

  @Override
  public void place(int orderId) {
    mapper.insert(orderId);
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
    return mapper.countEvents();
  }
}
