package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.Outbox;
import outbox.OutboxStatus.State;
import outbox.OutboxWriter;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.EventStatus;
import outbox.spring.boot.several.TwoDatabases;
import outbox.spring.boot.several.TwoOutboxes;

/** Outboxes that the application builds itself. */
class SeveralOutboxesTest {

  /** Those of health and meters end by themselves, soon. */
  @AfterEach
  void everyThreadEnds() {
    Applications.until(() -> Applications.outboxThreads().isEmpty());
  }

  /** Creates what the starter doesn't know of. */
  @Configuration(proxyBeanMethods = false)
  static class WithTables extends TwoDatabases {

    @Override
    protected DataSource database() {
      DataSource dataSource = super.database();
      OutboxSchema.of("h2").apply(dataSource);
      return dataSource;
    }
  }

  private static ApplicationContextRunner application() {
    return Applications.withoutDataSource()
        .withUserConfiguration(WithTables.class, TwoOutboxes.class);
  }

  @Test
  void eachDatabaseHasItsOutboxAndAllShareTheListeners() {
    application()
        .withBean(Orders.class)
        .run(
            context -> {
              assertThat(context.getBeansOfType(Outbox.class).values())
                  .hasSize(2)
                  .extracting(each -> each.status().state())
                  .containsOnly(State.STARTED);
              assertThat(context).doesNotHaveBean(OutboxWriter.class);

              write(context, "orders", 1);
              write(context, "billing", 2);

              List<Integer> placed = context.getBean(Orders.class).placed;
              Applications.until(() -> placed.size() == 2);
              assertThat(placed).containsExactlyInAnyOrder(1, 2);
              for (String name : List.of("ordersDb", "billingDb")) {
                DataSource dataSource = context.getBean(name, DataSource.class);
                Applications.until(() -> Applications.count(dataSource, EventStatus.DONE) == 1);
              }
            });
  }

  static class Closed {

    @OutboxListener("OrderPlaced")
    void refuse() {
      throw new NonRetryableException("closed today");
    }
  }

  @Test
  void eachIsShownAndJudgedUnderTheNameOfItsBean() {
    application()
        .withBean(Closed.class)
        .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class))
        .run(
            context -> {
              write(context, "billing", 1);
              DataSource billing = context.getBean("billingDb", DataSource.class);
              Applications.until(() -> Applications.count(billing, EventStatus.DEAD) == 1);

              OutboxEndpoint endpoint = endpoint(context);
              assertThat(endpoint.status().getBody())
                  .asString()
                  .contains("outbox=ordersOutbox, state=STARTED", "outbox=billingOutbox")
                  .contains("table=ordersOutbox, pending=0", "table=billingOutbox, pending=0")
                  .contains("dead=1");
              assertThat(body(endpoint, "dead"))
                  .contains("closed today", "table=billingOutbox")
                  .doesNotContain("ordersOutbox");
              assertThat(body(endpoint, "dead", "ordersOutbox")).isEqualTo("[]");
              Applications.until(() -> body(endpoint, "blocked").contains("order-1"));
              assertThat(context.getBean(TimelyHealth.class).report().details())
                  .containsKeys("ordersOutbox", "billingOutbox");
            });
  }

  @Test
  void deadEventsAreReplayedInTheTableThatIsNamed() {
    application()
        .withBean(Closed.class)
        .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class))
        .run(
            context -> {
              OutboxEndpoint endpoint = endpoint(context);

              assertThat(replay(endpoint, "replay"))
                  .containsEntry(
                      "error",
                      "name the table, as in replay/ordersOutbox; there are [ordersOutbox,"
                          + " billingOutbox]");
              assertThat(replay(endpoint, "replay", "shipping"))
                  .extractingByKey("error")
                  .asString()
                  .contains("there is no table shipping");
              assertThat(replay(endpoint, "replay", "billingOutbox"))
                  .containsEntry("matched", 0)
                  .doesNotContainKey("error");
            });
  }

  @Test
  void whatWaitsInTheirTablesIsMeasuredAndWhatTheyDoIfTheyAskForMeters() {
    application()
        .withBean(Orders.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withConfiguration(AutoConfigurations.of(OutboxMetricsAutoConfiguration.class))
        .run(
            context -> {
              write(context, "orders", 1);
              write(context, "billing", 2);

              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.find("outbox.pending").gauges())
                  .extracting(gauge -> gauge.getId().getTag("table"))
                  .containsExactlyInAnyOrder("ordersOutbox", "billingOutbox");
              assertThat(registry.find("outbox.written").counters())
                  .extracting(counter -> counter.getId().getTag("table"))
                  .containsOnly("ordersOutbox");
            });
  }

  @Test
  void oneWhoseDatabaseIsGoneHidesNoOther() {
    application()
        .withBean(Orders.class)
        .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class))
        .run(
            context -> {
              OutboxEndpoint endpoint = endpoint(context);
              new JdbcTemplate(context.getBean("ordersDb", DataSource.class))
                  .execute("DROP TABLE outbox_event");

              assertThat(endpoint.status().getStatus()).isEqualTo(200);
              assertThat(body(endpoint, "dead")).contains("table=ordersOutbox", "error=");
              assertThat(endpoint.part(new String[] {"dead", "ordersOutbox"}, null).getStatus())
                  .isEqualTo(503);
            });
  }

  private static OutboxEndpoint endpoint(ApplicationContext context) {
    return new OutboxEndpoint(
        context.getBean(WatchedOutboxes.class),
        new TableStates(Clock.systemUTC()),
        WatchedDestinations.None.NONE,
        true);
  }

  private static String body(OutboxEndpoint endpoint, String... path) {
    return String.valueOf(endpoint.part(path, null).getBody());
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> replay(OutboxEndpoint endpoint, String... path) {
    return (Map<String, Object>)
        endpoint.change(path, null, "OrderPlaced", null, null, true).getBody();
  }

  private static void write(ApplicationContext context, String name, int orderId) {
    Outbox outbox = context.getBean(name + "Outbox", Outbox.class);
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .aggregateType("Order")
            .aggregateId("order-" + orderId)
            .payloadJson("{\"orderId\":%d}".formatted(orderId))
            .build();
    new TransactionTemplate(
            context.getBean(name + "Transactions", PlatformTransactionManager.class))
        .executeWithoutResult(status -> outbox.writer().write(event));
  }
}
