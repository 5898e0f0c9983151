package outbox.persistence.jdbc;

import java.util.Objects;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.persistence.OrderPlaced;
import outbox.persistence.Orders;

@Service
@Transactional
class JdbcTemplateOrders implements Orders {

  private final JdbcTemplate jdbc;
  private final ApplicationEventPublisher events;

  JdbcTemplateOrders(JdbcTemplate jdbc, ApplicationEventPublisher events) {
    this.jdbc = jdbc;
    this.events = events;
  }

  @Override
  // docs:begin publish
  @Transactional
  public void place(int orderId) {
    jdbc.update("INSERT INTO customer_order (id) VALUES (?)", orderId);
    events.publishEvent(new OrderPlaced(orderId));
  }

  // docs:end publish

  @Override
  public void placeAndFail(int orderId) {
    place(orderId);
    throw new IllegalStateException("out of stock");
  }

  @Override
  public long placeAndCountEvents(int orderId) {
    place(orderId);
    return Objects.requireNonNull(
        jdbc.queryForObject("SELECT COUNT(*) FROM outbox_event", Long.class));
  }
}
