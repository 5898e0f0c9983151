package outbox.samples.spring;

import java.util.Objects;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {

  private final JdbcClient jdbc;
  private final ApplicationEventPublisher events;

  Orders(JdbcClient jdbc, ApplicationEventPublisher events) {
    this.jdbc = jdbc;
    this.events = events;
  }

  /** Order and event in one transaction: either both exist, or neither. */
  // docs:begin place
  @Transactional
  public long place(NewOrder order) {
    long id = insert(order);
    events.publishEvent(new OrderPlaced(id));
    return id;
  }

  // docs:end place

  Optional<Order> find(long id) {
    return jdbc.sql("SELECT * FROM customer_order WHERE id = :id")
        .param("id", id)
        .query(Order.class)
        .optional();
  }

  /** False if the order can't be shipped. */
  boolean ship(long id) {
    return update("UPDATE customer_order SET shipped = TRUE WHERE id = :id AND NOT fail", id);
  }

  /** False if there is no such order. */
  boolean repair(long id) {
    return update("UPDATE customer_order SET fail = FALSE WHERE id = :id", id);
  }

  private long insert(NewOrder order) {
    KeyHolder key = new GeneratedKeyHolder();
    jdbc.sql(
            """
            INSERT INTO customer_order (product, quantity, fail)
            VALUES (:product, :quantity, :fail)
            """)
        .paramSource(order)
        .update(key, "id");
    return Objects.requireNonNull(key.getKey()).longValue();
  }

  private boolean update(String sql, long id) {
    return jdbc.sql(sql).param("id", id).update() > 0;
  }
}
