package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.Outbox;
import outbox.OutboxStatus.State;
import outbox.OutboxWriter;
import outbox.dead.DeadEventManager;
import outbox.domain.OutboxEvent;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.model.EventStatus;
import outbox.spi.OutboxStore;
import outbox.spring.boot.several.Departments;
import outbox.spring.boot.several.TwoDatabases;
import outbox.spring.boot.several.TwoOutboxes;

/** Several outboxes, by properties alone. */
class NamedOutboxesTest {

  /** Those of health and meters end by themselves, soon. */
  @AfterEach
  void everyThreadEnds() {
    Applications.until(() -> Applications.outboxThreads().isEmpty());
  }

  private static ApplicationContextRunner twoDatabases() {
    return Applications.withoutDataSource()
        .withUserConfiguration(TwoDatabases.class)
        .withPropertyValues(
            "outbox.outboxes.orders.data-source=ordersDb",
            "outbox.outboxes.billing.data-source=billingDb");
  }

  @Test
  void eachDatabaseHasItsWriterItsRelayAndItsListeners() {
    twoDatabases()
        .withBean(Departments.class)
        .run(
            context -> {
              Departments departments = context.getBean(Departments.class);
              departments.order("1");
              departments.bill("2");

              Applications.until(() -> departments.heard().size() == 2);
              assertThat(departments.heard()).containsExactlyInAnyOrder("placed 1", "billed 2");
              for (String name : List.of("ordersDb", "billingDb")) {
                DataSource dataSource = context.getBean(name, DataSource.class);
                Applications.until(() -> Applications.count(dataSource, EventStatus.DONE) == 1);
              }
              assertThatIllegalStateException()
                  .isThrownBy(() -> departments.billInAnOrder("3"))
                  .withMessageContaining("transaction");
              assertThat(departments.heard()).hasSize(2);
            });
  }

  @Test
  void eachHasBeansThatAreFoundByItsName() {
    twoDatabases()
        .withBean(Departments.class)
        .run(
            context -> {
              Outbox billing = context.getBean("billingOutbox", Outbox.class);

              assertThat(billing.status().state()).isEqualTo(State.STARTED);
              assertThat(qualified(context, Outbox.class)).isSameAs(billing);
              assertThat(qualified(context, OutboxWriter.class)).isSameAs(billing.writer());
              assertThat(qualified(context, DeadEventManager.class)).isSameAs(billing.dead());
              assertThatThrownBy(() -> context.getBean(OutboxWriter.class))
                  .isInstanceOf(NoUniqueBeanDefinitionException.class)
                  .hasMessageContaining("ordersOutboxWriter,billingOutboxWriter");
            });
  }

  @Test
  void thePrimaryOneIsMeantWhereNoneIsNamed() {
    twoDatabases()
        .withBean(Departments.class)
        .withPropertyValues("outbox.outboxes.billing.primary=true")
        .run(
            context ->
                assertThat(context.getBean(OutboxWriter.class))
                    .isSameAs(context.getBean("billingOutboxWriter")));
  }

  @Test
  void whatAnOutboxDoesNotSetItHasInCommonWithTheOthers() {
    Applications.withEnvironment(
            twoDatabases(),
            Map.of(
                "OUTBOX_RELAY_BATCH_SIZE", "7",
                "OUTBOX_OUTBOXES_BILLING_RELAY_BATCH_SIZE", "9",
                "OUTBOX_OUTBOXES_AUDIT_DATA_SOURCE", "ordersDb"))
        .withBean(Departments.class)
        .withPropertyValues(
            "outbox.relay.lock-ttl=30s",
            "outbox.outboxes.billing.mode=ordered",
            "outbox.outboxes.billing.ordered.partitions=8",
            "outbox.outboxes.audit.mode=writer-only",
            "outbox.outboxes.audit.table=${audit.table:audit_event}")
        .run(
            context -> {
              AllSettings settings = context.getBean(AllSettings.class);
              assertThat(settings.of("orders").kind()).isEqualTo(Kind.MULTI);
              assertThat(settings.of("orders").properties().relay().batchSize()).isEqualTo(7);
              assertThat(settings.of("billing").kind()).isEqualTo(Kind.ORDERED);
              assertThat(settings.of("billing").properties().relay().batchSize()).isEqualTo(9);
              assertThat(settings.of("billing").properties().relay().lockTtl())
                  .isEqualTo(Duration.ofSeconds(30));
              assertThat(settings.of("audit").table()).hasToString("audit_event");
              assertThat(settings.of("audit").relayed()).isEmpty();
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class StoreForBilling {

    @Bean
    @Qualifier("billing")
    OutboxStore store(@Qualifier("billingDb") DataSource dataSource) {
      OutboxSchema.of("h2").unordered().apply(dataSource);
      return new H2OutboxStore();
    }
  }

  @Test
  void aBeanThatIsQualifiedByTheNameTakesPart() {
    twoDatabases()
        .withUserConfiguration(StoreForBilling.class)
        .withBean(Departments.class)
        .run(
            context -> {
              OutboxStore own = context.getBean(OutboxStore.class);
              assertThat(context.getBean("billingOutbox", Outbox.class).store()).isSameAs(own);
              assertThat(context.getBean("ordersOutbox", Outbox.class).store()).isNotSameAs(own);
            });
  }

  @OutboxEvent
  record Billed(int number) {}

  @Test
  void aDomainEventIsWrittenToTheOutboxOfItsTransaction() {
    twoDatabases()
        .withConfiguration(AutoConfigurations.of(DomainEventsAutoConfiguration.class))
        .withPropertyValues("outbox.mode=writer-only")
        .run(
            context -> {
              PlatformTransactionManager billing =
                  context.getBean("billingTransactions", PlatformTransactionManager.class);
              new TransactionTemplate(billing)
                  .executeWithoutResult(status -> context.publishEvent(new Billed(1)));

              DataSource written = context.getBean("billingDb", DataSource.class);
              assertThat(Applications.count(written, EventStatus.NEW)).isOne();
            });
  }

  @Test
  void healthAndMetersTellThemApart() {
    twoDatabases()
        .withBean(Departments.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withConfiguration(
            AutoConfigurations.of(
                ActuatorAutoConfiguration.class, OutboxMetricsAutoConfiguration.class))
        .run(
            context -> {
              context.getBean(Departments.class).bill("1");

              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.get("outbox.written").counter().getId().getTag("table"))
                  .isEqualTo("billing.outbox_event");
              assertThat(registry.find("outbox.pending").gauges())
                  .extracting(gauge -> gauge.getId().getTag("table"))
                  .containsExactlyInAnyOrder("orders.outbox_event", "billing.outbox_event");

              new JdbcTemplate(context.getBean("billingDb", DataSource.class))
                  .execute("DROP TABLE outbox_event");
              HealthReport report = context.getBean(TimelyHealth.class).report();
              assertThat(report.status()).isEqualTo("DOWN");
              assertThat(report.details()).containsKey("orders.outbox_event");
              assertThat(report.details().get("problems"))
                  .asString()
                  .contains("can't be asked about billing.outbox_event")
                  .doesNotContain("orders");
            });
  }

  static class ForNobody {

    @OutboxListener(value = "Placed", outbox = "shipping")
    void placed() {}
  }

  static class ForOrders {

    @OutboxListener(value = "Placed", outbox = "orders", ordered = true)
    void placed() {}
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          outbox.outboxes.a.table=x outbox.outboxes.b.table=x | The outboxes a and b have the same table, x
          outbox.outboxes.a.relay.tables=x,y outbox.outboxes.a.table=x outbox.outboxes.b.table=y | same table, y
          outbox.outboxes.a.primary=true outbox.outboxes.b.primary=true outbox.outboxes.b.table=b | outbox.outboxes.a.primary and outbox.outboxes.b.primary
          outbox.outboxes.a.data-source=nobody               | outbox.outboxes.a.data-source is nobody
          outbox.outboxes.a.transaction-manager=nobody       | outbox.outboxes.a.transaction-manager is nobody
          outbox.outboxes.a.data-source=dataSource outbox.transaction-manager=transactionManager | outbox.outboxes.a.transaction-manager=transactionManager
          outbox.outboxes.a.mode=single outbox.outboxes.a.node-id=n | outbox.outboxes.a.node-id
          outbox.outboxes.a.mode=single outbox.relay.lock-ttl=1m | outbox.relay.lock-ttl is set to PT1M, which has no effect with outbox.mode=single
          outbox.outboxes.a.relay.bach-size=10               | outbox.outboxes.a.relay.bach-size
          outbox.outboxes.a.relay.batch-size=0               | outbox.relay.batch-size must be at least 1
          outbox.outboxes.a.metrics.enabled=false            | outbox.outboxes.a.metrics.enabled
          outbox.outboxes.[a.b].table=x                      | outbox named a.b
          outbox.primary=true                                | outbox.primary
          """)
  void contradictionsAreRefusedByName(String properties, String told) {
    Applications.listening()
        .withPropertyValues(Applications.properties(properties))
        .run(context -> assertThat(Applications.told(context.getStartupFailure())).contains(told));
  }

  @Test
  void listenersAndBeansThatBelongToNoOutboxAreRefused() {
    assertRefused(twoDatabases(), "The outbox orders is to deliver events");
    assertRefused(
        twoDatabases().withBean(Departments.class).withBean(ForNobody.class),
        "there is no outbox shipping, only [orders, billing]");
    assertRefused(
        twoDatabases().withBean(ForOrders.class),
        "order of events, which is kept with outbox.mode=ordered only");
    assertRefused(
        twoDatabases()
            .withBean(Departments.class)
            .withUserConfiguration(RefusalsTest.OwnStore.class),
        "which of them the OutboxStore bean ownStore is for");
    assertRefused(
        twoDatabases().withUserConfiguration(TwoOutboxes.class).withBean(Orders.class),
        "outbox.outboxes.orders has no effect");
  }

  private static void assertRefused(ApplicationContextRunner application, String told) {
    application.run(
        context ->
            assertThat(Applications.refusal(context.getStartupFailure()))
                .hasMessageContaining(told));
  }

  private static <T> T qualified(ApplicationContext context, Class<T> type) {
    return BeanFactoryAnnotationUtils.qualifiedBeanOfType(
        context.getAutowireCapableBeanFactory(), type, "billing");
  }
}
