package outbox.samples.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class JpaDemoTest {

  private static final Database DATABASE = Databases.postgres().fresh();
  private static ConfigurableApplicationContext application;

  @BeforeAll
  static void start() {
    application =
        SpringApplication.run(
            JpaDemoApplication.class, "--spring.datasource.url=" + DATABASE.url());
  }

  @AfterAll
  static void stop() {
    application.close();
    DATABASE.close();
  }

  @Test
  void whatHappensToAnOrderIsToldInOrder() throws InterruptedException {
    OrderService service = application.getBean(OrderService.class);
    Customers customers = application.getBean(Customers.class);

    UUID id = service.place("lamp", 2);
    service.ship(id);
    service.ship(id);

    assertThat(customers.mails().poll(60, TimeUnit.SECONDS)).isEqualTo("thank you for 2 x lamp");
    assertThat(customers.mails().poll(60, TimeUnit.SECONDS))
        .isEqualTo("order %s is on its way".formatted(id));
    assertThat(events(id)).isEqualTo(2);
    Order order = application.getBean(Orders.class).findById(id).orElseThrow();
    assertThat(order.isShipped()).isTrue();
    assertThat(order.version()).isEqualTo(1);
  }

  @Test
  void anOrderThatIsNotThereRaisesNothing() {
    UUID unknown = UUID.randomUUID();

    assertThatThrownBy(() -> application.getBean(OrderService.class).ship(unknown))
        .isInstanceOf(NoSuchElementException.class);

    assertThat(events(unknown)).isZero();
  }

  private static Integer events(UUID aggregate) {
    return new JdbcTemplate(DATABASE.dataSource())
        .queryForObject(
            "SELECT COUNT(*) FROM outbox_event WHERE aggregate_type = 'Order' AND aggregate_id = ?",
            Integer.class,
            aggregate.toString());
  }
}
