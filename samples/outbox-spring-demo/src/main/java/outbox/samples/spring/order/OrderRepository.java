package outbox.samples.spring.order;

import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class OrderRepository {

  private final JdbcClient jdbc;

  OrderRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  long nextId() {
    return jdbc.sql("SELECT NEXT VALUE FOR order_id").query(Long.class).single();
  }

  void insert(Order order) {
    jdbc.sql(
            """
            INSERT INTO customer_order (id, product, quantity, fail, placed_at, event_id)
            VALUES (:id, :product, :quantity, :fail, :placedAt, :eventId)
            """)
        .paramSource(order)
        .update();
  }

  Optional<Order> find(long id) {
    return jdbc.sql("SELECT * FROM customer_order WHERE id = :id")
        .param("id", id)
        .query(Order.class)
        .optional();
  }

  /** Shipping twice changes nothing: events are delivered at least once. */
  void ship(long id, Instant at) {
    jdbc.sql("UPDATE customer_order SET shipped_at = :at WHERE id = :id AND shipped_at IS NULL")
        .param("id", id)
        .param("at", at)
        .update();
  }

  /** False if there is no such order. */
  boolean repair(long id) {
    return jdbc.sql("UPDATE customer_order SET fail = FALSE WHERE id = :id")
            .param("id", id)
            .update()
        > 0;
  }
}
