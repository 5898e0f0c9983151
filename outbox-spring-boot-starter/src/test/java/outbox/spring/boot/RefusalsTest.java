package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.OutboxWriter;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.EventArchiver;
import outbox.spi.OutboxStore;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** What can't work is refused at the start, with what to write instead; and leaves no threads. */
@ExtendWith(OutputCaptureExtension.class)
class RefusalsTest {

  @AfterEach
  void nothingIsLeftRunning() {
    assertThat(Applications.outboxThreads()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          outbox.mode=single outbox.relay.lock-ttl=1m        | outbox.relay.lock-ttl
          outbox.mode=single outbox.node-id=a                | outbox.node-id
          outbox.mode=single outbox.relay.single-active=true | outbox.relay.single-active
          outbox.mode=ordered outbox.relay.hot-path=false    | outbox.relay.hot-path
          outbox.mode=ordered outbox.relay.single-active=true | outbox.relay.single-active
          outbox.ordered.partitions=8                        | outbox.ordered.partitions
          outbox.ordered.on-dead=skip                        | outbox.ordered.on-dead
          outbox.ordered.name=a                              | outbox.ordered.name
          outbox.relay.single-active=true outbox.relay.hot-path=true | outbox.relay.hot-path
          outbox.mode=writer-only outbox.relay.enabled=true  | outbox.relay.enabled
          outbox.mode=writer-only outbox.relay.tables=a      | outbox.relay.tables
          outbox.mode=writer-only outbox.relay.workers=2     | outbox.relay.workers
          outbox.mode=writer-only outbox.relay.max-attempts=2 | outbox.relay.max-attempts
          outbox.mode=writer-only outbox.relay.dispatch-timeout=2s | outbox.relay.dispatch-timeout
          outbox.mode=writer-only outbox.relay.unroutable=leave | outbox.relay.unroutable
          outbox.mode=writer-only outbox.relay.completion=delete | outbox.relay.completion
          outbox.mode=writer-only outbox.relay.drain-timeout=1s | outbox.relay.drain-timeout
          outbox.mode=writer-only outbox.last-error-max-bytes=9 | outbox.last-error-max-bytes
          outbox.mode=writer-only outbox.cleaner.enabled=true | outbox.cleaner.enabled
          outbox.mode=writer-only outbox.cleaner.retention=1h | outbox.cleaner.retention
          outbox.mode=writer-only outbox.cleaner.interval=1h | outbox.cleaner.interval
          outbox.mode=writer-only outbox.cleaner.dead-retention=1h | outbox.cleaner.dead-retention
          outbox.relay.tables=a outbox.cleaner.tables=b      | outbox.cleaner.tables
          outbox.table=drop-table                            | outbox.table
          outbox.mode=ordered outbox.ordered.partitions=3    | partitions
          outbox.relay.max-attempts=0                        | outbox.relay.max-attempts
          outbox.relay.dispatch-timeout=0s                   | outbox.relay.dispatch-timeout
          outbox.last-error-max-bytes=4001                   | outbox.last-error-max-bytes
          outbox.cleaner.interval=10ms                       | outbox.cleaner.interval
          outbox.relay.bach-size=10                          | outbox.relay.bach-size
          outbox.data-source=nobody                          | outbox.data-source
          outbox.transaction-manager=nobody                  | outbox.transaction-manager
          """)
  void propertiesWithoutEffectAreRefusedByName(String properties, String named) {
    Applications.listening()
        .withPropertyValues(Applications.properties(properties))
        .run(
            context -> {
              assertThat(context).hasFailed();
              assertThat(Applications.told(context.getStartupFailure())).contains(named);
            });
  }

  @Test
  void aSwitchCanBeTurnedWhileItsSettingsStay() {
    Applications.listening()
        .withPropertyValues(
            "outbox.relay.enabled=false",
            "outbox.relay.batch-size=10",
            "outbox.cleaner.enabled=false",
            "outbox.cleaner.retention=1h")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void noDataSource() {
    RefusedException refused =
        refused(
            new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class))
                .withBean(Orders.class));

    assertThat(refused.problem()).contains("no DataSource bean");
    assertThat(refused.remedy()).contains("spring.datasource.url", "outbox.enabled=false");
  }

  @Test
  void severalDataSources() {
    RefusedException refused =
        refused(
            Applications.withoutDataSource()
                .withBean(Orders.class)
                .withUserConfiguration(OutboxAutoConfigurationTest.TwoSharedDataSources.class));

    assertThat(refused.problem()).contains("[shop, billing]");
    assertThat(refused.remedy()).contains("outbox.data-source=shop");
  }

  @Test
  void noListener() {
    RefusedException refused = refused(Applications.empty());

    assertThat(refused.remedy()).contains("@OutboxListener", "outbox.mode=writer-only");
  }

  @Test
  void noTable() {
    RefusedException refused =
        refused(Applications.listening().withPropertyValues("outbox.schema.initialize=never"));

    assertThat(refused.problem()).contains("outbox_event does not exist");
    assertThat(refused.remedy()).contains("schema/h2.sql", "outbox.schema.initialize=always");
  }

  @Test
  void noTableForWriterEither() {
    RefusedException refused =
        refused(
            Applications.empty()
                .withPropertyValues("outbox.schema.initialize=never", "outbox.mode=writer-only"));

    assertThat(refused.problem()).contains("outbox_event does not exist");
  }

  @Test
  void noTablesForOrder() {
    try (Database database = Databases.h2().fresh()) {
      OutboxSchema.of("h2").unordered().apply(database.dataSource());

      RefusedException refused =
          refused(
              Applications.on(database)
                  .withBean(Orders.class)
                  .withPropertyValues("outbox.schema.initialize=never", "outbox.mode=ordered"));

      assertThat(refused.remedy()).contains("schema/h2-ordered.sql");
    }
  }

  record Checkout(OutboxWriter writer) {}

  @Test
  void aWriterThatDoesNotKnowItsTable() {
    ApplicationContextRunner relaying =
        Applications.listening().withPropertyValues("outbox.relay.tables=a,b");

    RefusedException refused = refused(relaying.withBean(Checkout.class));
    assertThat(refused.problem()).contains("outbox.relay.tables", "[a, b]");
    assertThat(refused.remedy()).contains("outbox.table");
    relaying.run(
        context ->
            assertThatThrownBy(() -> Applications.write(context, "OrderPlaced", "{}"))
                .hasMessageContaining("Set outbox.table"));
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnStore {
    @Bean
    OutboxStore ownStore() {
      return new H2OutboxStore();
    }
  }

  @Test
  void tableOfAPropertyBesideAStoreOfOnesOwn() {
    RefusedException refused =
        refused(
            Applications.listening()
                .withUserConfiguration(OwnStore.class)
                .withPropertyValues("outbox.table=billing"));

    assertThat(refused.problem()).contains("outbox.table", "OutboxStore bean");
  }

  @Test
  void propertiesBesideAnOutboxOfOnesOwn() {
    RefusedException refused =
        refused(
            Applications.listening()
                .withUserConfiguration(OutboxAutoConfigurationTest.OwnOutbox.class)
                .withPropertyValues("outbox.relay.batch-size=10"));

    assertThat(refused.problem()).contains("outbox.relay.batch-size", "Outbox bean");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "outbox.table=billing",
        "outbox.data-source=dataSource",
        "outbox.transaction-manager=transactionManager",
        "outbox.schema.initialize=never"
      })
  void propertiesOfPartsThatAnOutboxOfOnesOwnDoesNotTake(String property) {
    RefusedException refused =
        refused(
            Applications.listening()
                .withUserConfiguration(ListenerRefusalsTest.OrderedOutbox.class)
                .withPropertyValues(property));

    assertThat(refused.problem())
        .contains(property.substring(0, property.indexOf('=')), "Outbox bean");
  }

  @Test
  void propertiesOfPartsThatItTakesCount() {
    Applications.listening()
        .withUserConfiguration(OutboxAutoConfigurationTest.OwnOutbox.class)
        .withPropertyValues(
            "outbox.table=billing",
            "outbox.data-source=dataSource",
            "outbox.transaction-manager=transactionManager",
            "outbox.schema.initialize=always")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "outbox.cleaner.enabled=true",
        "outbox.cleaner.interval=1h",
        "outbox.cleaner.retention=1h",
        "outbox.cleaner.dead-retention=1h"
      })
  void cleaningWhatCannotBeCleaned(String property) {
    RefusedException refused = refused(onPlainStore().withPropertyValues(property));

    assertThat(refused.problem()).contains("outbox.cleaner", PlainStore.class.getName());
    assertThat(refused.remedy()).contains("EventPurger bean", "outbox.cleaner.enabled=false");
    onPlainStore().run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void archivingWhatIsNeverCleaned() {
    RefusedException refused =
        refused(onPlainStore().withBean(EventArchiver.class, () -> events -> {}));

    assertThat(refused.problem()).contains("EventArchiver");
  }

  private static ApplicationContextRunner onPlainStore() {
    return Applications.listening()
        .withUserConfiguration(PlainStore.AsBean.class)
        .withPropertyValues("outbox.mode=single", "outbox.relay.unroutable=dead");
  }

  @Test
  void transactionsOfAnotherDataSource() {
    RefusedException refused =
        refused(
            Applications.withoutDataSource()
                .withBean(Orders.class)
                .withUserConfiguration(OutboxAutoConfigurationTest.TwoSharedDataSources.class)
                .withPropertyValues(
                    "outbox.data-source=billing", "outbox.transaction-manager=shopTransactions"));

    assertThat(refused.problem())
        .contains("outbox.transaction-manager is shopTransactions", "DataSource");
    assertThat(refused.remedy()).contains("outbox.data-source");
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnRegistry {
    @Bean
    ListenerRegistry ownListeners() {
      return new DefaultListenerRegistry();
    }
  }

  @Test
  void annotationsBesideARegistryOfOnesOwn() {
    RefusedException refused =
        refused(Applications.listening().withUserConfiguration(OwnRegistry.class));

    assertThat(refused.problem()).contains("Orders.placed(OrderPlaced)", "ListenerRegistry bean");
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Application {}

  @Test
  void theApplicationSaysWhatToDo(CapturedOutput output) {
    List<String> problems =
        List.of(
            "APPLICATION FAILED TO START",
            "The outbox table outbox_event does not exist.",
            "outbox.schema.initialize=always");

    assertThatThrownBy(
            () ->
                SpringApplication.run(
                    new Class<?>[] {Application.class, Orders.class},
                    new String[] {
                      "--spring.datasource.url=jdbc:h2:mem:told",
                      "--spring.main.web-application-type=none",
                      "--outbox.schema.initialize=never"
                    }))
        .hasRootCauseInstanceOf(SQLException.class);

    assertThat(output).contains(problems);
  }

  @Test
  void analysisHasProblemAndRemedyApart() {
    FailureAnalysis analysis =
        new RefusalAnalyzer().analyze(new RefusedException("It is wrong.", "Correct it."));

    assertThat(analysis.getDescription()).isEqualTo("It is wrong.");
    assertThat(analysis.getAction()).isEqualTo("Correct it.");
  }

  private static RefusedException refused(ApplicationContextRunner runner) {
    RefusedException[] refused = new RefusedException[1];
    runner.run(
        context -> {
          assertThat(context).hasFailed();
          refused[0] = Applications.refusal(context.getStartupFailure());
        });
    return refused[0];
  }
}
