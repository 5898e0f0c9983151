package outbox.samples.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.samples.modulith.broker.Broker;
import outbox.samples.modulith.inventory.Inventory;
import outbox.samples.modulith.orders.OrderManagement;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class ModulithDemoTest {

  private static final Database DATABASE = Databases.postgres().fresh();
  private static ConfigurableApplicationContext application;

  @BeforeAll
  static void start() {
    application =
        SpringApplication.run(
            ModulithDemoApplication.class, "--spring.datasource.url=" + DATABASE.url());
  }

  @AfterAll
  static void stop() {
    application.close();
    DATABASE.close();
  }

  @Test
  void modulesKeepToTheirBounds() {
    ApplicationModules.of(ModulithDemoApplication.class).verify();
  }

  @Test
  void anExternalizedEventLeavesThroughTheOutboxAndReachesOtherModulesToo()
      throws InterruptedException {
    application.getBean(OrderManagement.class).place(42, "lamp");

    assertThat(application.getBean(Broker.class).sent().poll(60, TimeUnit.SECONDS))
        .isEqualTo("to orders, key 42: {\"orderId\":42,\"product\":\"lamp\"}");
    assertThat(application.getBean(Inventory.class).reserved().poll(60, TimeUnit.SECONDS))
        .isEqualTo("lamp");
    assertThat(events(42)).isEqualTo(1);
  }

  @Test
  void aRollbackTakesTheEventBack() {
    OrderManagement orders = application.getBean(OrderManagement.class);
    TransactionTemplate transaction =
        new TransactionTemplate(application.getBean(PlatformTransactionManager.class));

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      orders.place(7, "desk");
                      orders.place(7, " ");
                    }));

    assertThat(events(7)).isZero();
  }

  private static Integer events(int orderId) {
    return new JdbcTemplate(DATABASE.dataSource())
        .queryForObject(
            "SELECT COUNT(*) FROM outbox_event WHERE aggregate_id = ?",
            Integer.class,
            String.valueOf(orderId));
  }
}
