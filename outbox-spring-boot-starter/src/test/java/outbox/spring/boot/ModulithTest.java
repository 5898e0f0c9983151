package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.domain.OutboxEvent;

/**
 * What Spring Modulith externalizes is written to the outbox, where the application asks for it.
 */
class ModulithTest {

  @Externalized("orders::#{orderId()}")
  record OrderPlaced(int orderId) {}

  @Externalized("orders")
  record StockTaken(int items) {}

  @Externalized("orders::#{orderId()}")
  @OutboxEvent(value = "order.cancelled", aggregateType = "Order", aggregateId = "orderId")
  record OrderCancelled(int orderId) {}

  record NotExternalized(int orderId) {}

  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage
  static class Packages {}

  private final ApplicationContextRunner application =
      Applications.empty()
          .withConfiguration(
              AutoConfigurations.of(
                  DomainEventsAutoConfiguration.class,
                  ModulithAutoConfiguration.class,
                  EventExternalizationAutoConfiguration.class))
          .withUserConfiguration(Packages.class)
          .withPropertyValues("outbox.mode=writer-only");

  private final ApplicationContextRunner outboxMode =
      application.withPropertyValues("spring.modulith.events.externalization.mode=outbox");

  @Test
  void targetAndKeyBecomeTopicAndAggregate() {
    outboxMode.run(
        context -> {
          publish(context, new OrderPlaced(42), new NotExternalized(42));

          assertThat(rows(context))
              .singleElement()
              .satisfies(
                  row -> {
                    assertThat(row).containsEntry("event_type", "OrderPlaced");
                    assertThat(row).containsEntry("aggregate_id", "42");
                    assertThat(row).containsEntry("payload", "{\"orderId\":42}");
                    assertThat(row.get("headers"))
                        .contains("\"topic\":\"orders\"", "\"routing-key\":\"42\"");
                  });
        });
  }

  @Test
  void withoutAKeyThereIsNoAggregate() {
    outboxMode.run(
        context -> {
          publish(context, new StockTaken(7));

          assertThat(rows(context)).singleElement().extracting("aggregate_id").isNull();
        });
  }

  @Test
  void anEventWithBothAnnotationsIsWrittenOnceAsTheOneOfTheOutboxSays() {
    outboxMode.run(
        context -> {
          publish(context, new OrderCancelled(1));

          assertThat(rows(context))
              .singleElement()
              .extracting("event_type", "aggregate_type")
              .containsExactly("order.cancelled", "Order");
        });
  }

  @Configuration(proxyBeanMethods = false)
  static class Mapped {
    @Bean
    EventExternalizationConfiguration externalization() {
      return EventExternalizationConfiguration.externalizing()
          .select(event -> event instanceof NotExternalized)
          .mapping(NotExternalized.class, event -> Map.of("id", event.orderId()))
          .headers(NotExternalized.class, event -> Map.of("locale", "de"))
          .build();
    }
  }

  @Test
  void theApplicationsOwnConfigurationSelectsMapsAndAddsHeaders() {
    outboxMode
        .withUserConfiguration(Mapped.class)
        .run(
            context -> {
              publish(context, new NotExternalized(3), new OrderPlaced(3));

              assertThat(rows(context))
                  .singleElement()
                  .satisfies(
                      row -> {
                        assertThat(row).containsEntry("payload", "{\"id\":3}");
                        assertThat(row.get("headers")).contains("\"locale\":\"de\"");
                      });
            });
  }

  @Test
  void nothingIsWrittenWhereNoOutboxIsAskedFor() {
    application.run(
        context -> {
          publish(context, new OrderPlaced(1));

          assertThat(rows(context)).isEmpty();
        });
  }

  private static void publish(ApplicationContext context, Object... events) {
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> {
              for (Object event : events) {
                context.publishEvent(event);
              }
            });
  }

  private static List<Map<String, String>> rows(ApplicationContext context) {
    return new JdbcTemplate(context.getBean(DataSource.class))
        .query(
            "SELECT event_type, aggregate_type, aggregate_id, payload, headers FROM outbox_event",
            (row, number) -> {
              Map<String, String> columns = new HashMap<>();
              for (String each :
                  List.of("event_type", "aggregate_type", "aggregate_id", "payload", "headers")) {
                columns.put(each, row.getString(each));
              }
              return columns;
            });
  }
}
