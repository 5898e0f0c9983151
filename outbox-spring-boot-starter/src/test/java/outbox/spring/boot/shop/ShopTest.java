package outbox.spring.boot.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** The documentation's application, as a user would run it. */
class ShopTest {

  static List<Database> databases() {
    return List.of(Databases.h2(), Databases.postgres());
  }

  @ParameterizedTest
  @MethodSource("databases")
  void anOrderIsShippedOnceItsTransactionHasCommitted(Database server) {
    run(
        server,
        application -> {
          application.getBean(Checkout.class).place(42);

          Shipping shipping = application.getBean(Shipping.class);
          await().atMost(Duration.ofSeconds(60)).until(() -> !shipping.shipped.isEmpty());
          assertThat(shipping.shipped).containsExactly(42);
        });
  }

  @ParameterizedTest
  @MethodSource("databases")
  void payloadHeaderAndEnvelopeReachAnAsynchronousListener(Database server) {
    run(
        server,
        application -> {
          EventEnvelope cancelled =
              EventEnvelope.builder(OrderEvents.ORDER_CANCELLED)
                  .aggregateType("Order")
                  .header("locale", "de")
                  .payloadJson("{\"orderId\":7}")
                  .build();
          new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
              .executeWithoutResult(
                  status -> application.getBean(OutboxWriter.class).write(cancelled));

          Mails mails = application.getBean(Mails.class);
          await().atMost(Duration.ofSeconds(60)).until(() -> !mails.sent.isEmpty());
          assertThat(mails.sent).containsExactly(cancelled.eventId() + " de 7");
        });
  }

  private static void run(Database server, Consumer<ConfigurableApplicationContext> test) {
    try (Database database = server.fresh()) {
      new JdbcTemplate(database.dataSource())
          .execute("CREATE TABLE customer_order (id INT PRIMARY KEY)");
      try (ConfigurableApplicationContext application =
          SpringApplication.run(
              ShopApplication.class,
              "--spring.datasource.url=" + database.url(),
              "--spring.main.web-application-type=none")) {
        test.accept(application);
      }
    }
  }
}
