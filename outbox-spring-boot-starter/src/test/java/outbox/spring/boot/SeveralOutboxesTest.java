package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.Outbox;
import outbox.OutboxStatus.State;
import outbox.OutboxWriter;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.EventStatus;
import outbox.spring.boot.several.TwoOutboxes;

class SeveralOutboxesTest {

  @Configuration(proxyBeanMethods = false)
  static class TwoDatabases {

    @Bean
    DataSource ordersDb() {
      return database("orders");
    }

    @Bean
    DataSource billingDb() {
      return database("billing_db");
    }

    private static DataSource database(String name) {
      DataSource dataSource =
          new DriverManagerDataSource("jdbc:h2:mem:several_" + name + ";DB_CLOSE_DELAY=-1");
      new JdbcTemplate(dataSource).execute(OutboxSchema.of("h2").unordered().ddl());
      return dataSource;
    }
  }

  @Test
  void eachDatabaseHasItsOutboxAndAllShareTheListeners() {
    Applications.withoutDataSource()
        .withUserConfiguration(TwoDatabases.class, TwoOutboxes.class)
        .withBean(Orders.class)
        .run(
            context -> {
              List<Outbox> outboxes =
                  List.of(
                      context.getBean("ordersOutbox", Outbox.class),
                      context.getBean("billingOutbox", Outbox.class));
              assertThat(outboxes)
                  .extracting(each -> each.status().state())
                  .containsOnly(State.STARTED);
              assertThat(context).doesNotHaveBean(OutboxWriter.class);

              write(outboxes.get(0), context.getBean("ordersDb", DataSource.class), 1);
              write(outboxes.get(1), context.getBean("billingDb", DataSource.class), 2);

              List<Integer> placed = context.getBean(Orders.class).placed;
              Applications.until(() -> placed.size() == 2);
              assertThat(placed).containsExactlyInAnyOrder(1, 2);
              for (String name : List.of("ordersDb", "billingDb")) {
                DataSource dataSource = context.getBean(name, DataSource.class);
                Applications.until(() -> Applications.count(dataSource, EventStatus.DONE) == 1);
              }
              assertThat(Applications.outboxThreads()).isNotEmpty();
            });
    assertThat(Applications.outboxThreads()).isEmpty();
  }

  private static void write(Outbox outbox, DataSource dataSource, int orderId) {
    PlatformTransactionManager transactions = new DataSourceTransactionManager(dataSource);
    new TransactionTemplate(transactions)
        .executeWithoutResult(
            status -> outbox.writer().write("OrderPlaced", "{\"orderId\":%d}".formatted(orderId)));
  }
}
