package outbox.spring.boot.shop;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import outbox.OutboxWriter;

@Service
class Checkout {

  private final JdbcTemplate jdbc;
  private final OutboxWriter outbox;

  Checkout(JdbcTemplate jdbc, OutboxWriter outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  // docs:begin checkout
  @Transactional
  public void place(int orderId) {
    jdbc.update("INSERT INTO customer_order (id) VALUES (?)", orderId);
    outbox.write("OrderPlaced", "{\"orderId\":%d}".formatted(orderId));
  }
  // docs:end checkout
}
