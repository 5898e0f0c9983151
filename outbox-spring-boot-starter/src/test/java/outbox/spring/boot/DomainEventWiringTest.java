package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.domain.EventMapper;
import outbox.domain.OutboxEvent;
import outbox.domain.PayloadWriter;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.TableName;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.spring.SpringTxContext;

/** Which outbox gets a published event, whatever the application has made of Spring's beans. */
class DomainEventWiringTest {

  @OutboxEvent
  record Happened(int number) {}

  private static ApplicationContextRunner application() {
    return application(Applications.empty());
  }

  private static ApplicationContextRunner application(ApplicationContextRunner runner) {
    return runner
        .withConfiguration(AutoConfigurations.of(DomainEventsAutoConfiguration.class))
        .withPropertyValues("outbox.mode=writer-only");
  }

  @Test
  void whatAChildContextPublishesIsWrittenOnce() {
    application()
        .run(
            parent -> {
              try (GenericApplicationContext child = new GenericApplicationContext(parent)) {
                child.refresh();
                publish(parent, child, new Happened(1));
              }
              assertThat(payloads(parent)).containsExactly("{\"number\":1}");

              application()
                  .withParent(parent)
                  .run(
                      child -> {
                        Happened twice = new Happened(2);
                        transaction(child)
                            .executeWithoutResult(
                                status -> {
                                  child.publishEvent(twice);
                                  child.publishEvent(twice);
                                });
                        publish(parent, parent, twice);
                      });
              assertThat(payloads(parent))
                  .containsExactly(
                      "{\"number\":1}", "{\"number\":2}", "{\"number\":2}", "{\"number\":2}");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class OtherThreads {
    @Bean
    SimpleApplicationEventMulticaster applicationEventMulticaster() {
      SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
      Executor executor = task -> new Thread(task).start();
      multicaster.setTaskExecutor(executor);
      return multicaster;
    }
  }

  @Test
  void aMulticasterOfOtherThreadsWritesOnTheOneThatPublishes() {
    application()
        .withUserConfiguration(OtherThreads.class)
        .run(
            context -> {
              publish(context, context, new Happened(1));

              assertThat(payloads(context)).hasSize(1);
            });
  }

  @OutboxEvent
  static final class OldFashioned extends ApplicationEvent {
    OldFashioned(Object source) {
      super(source);
    }
  }

  @Test
  void anApplicationEventIsRefused() {
    application()
        .run(
            context ->
                assertThatIllegalStateException()
                    .isThrownBy(() -> publish(context, context, new OldFashioned(this)))
                    .withMessageContainingAll(OldFashioned.class.getName(), "ApplicationEvent"));
  }

  @Test
  void aMapperOfTheApplicationTakesWhatHasNoAnnotation() {
    EventMapper texts =
        new EventMapper() {
          @Override
          public boolean supports(Object event) {
            return event instanceof String;
          }

          @Override
          public EventEnvelope map(Object event) {
            return EventEnvelope.ofJson("Text", "\"" + event + "\"");
          }
        };

    application()
        .withBean("texts", EventMapper.class, () -> texts)
        .run(
            context -> {
              publish(context, context, "hello");
              publish(context, context, new Happened(1));

              assertThat(payloads(context)).containsExactly("\"hello\"", "{\"number\":1}");
            });
  }

  @Test
  void aPayloadWriterOfTheApplicationReplacesJackson() {
    application()
        .withBean(PayloadWriter.class, () -> event -> "[7]")
        .run(
            context -> {
              publish(context, context, new Happened(1));

              assertThat(payloads(context)).containsExactly("[7]");
            });
  }

  @Test
  void withoutJacksonWhoeverPublishesIsToldWhatToDo() {
    application()
        .withClassLoader(new FilteredClassLoader("com.fasterxml.jackson", "tools.jackson"))
        .run(
            context ->
                assertThatThrownBy(() -> publish(context, context, new Happened(1)))
                    .rootCause()
                    .hasMessageContainingAll("add Jackson", "PayloadWriter bean"));
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage(basePackages = "outbox.spring.broken")
  static class BrokenEvents {}

  @Test
  void eventsThatCannotWorkAreRefusedAtTheStartWithAllTheirNames() {
    application()
        .withUserConfiguration(BrokenEvents.class)
        .run(
            context -> {
              assertThat(context).hasFailed();
              assertThat(Applications.refusal(context.getStartupFailure()).problem())
                  .contains("Misspelt must be one of its members, got: ordrId")
                  .contains("Child must be one of its members, got: nothing")
                  .contains("Implementation must be one of its members, got: id")
                  .contains("Composed must be one of its members, got: id")
                  .contains("Reserved can't work: header name", "got: outbox-encoding")
                  .containsPattern("Twin and .*Twin have the same event type, twice")
                  .doesNotContain("Sound");
            });
  }

  @Test
  void switchedOffNothingIsWrittenAndThatIsSaidOncePerClass() {
    try (LogLines log = new LogLines()) {
      application()
          .withConfiguration(AutoConfigurations.of(UnwrittenEventsAutoConfiguration.class))
          .withPropertyValues("outbox.enabled=false")
          .run(
              context -> {
                context.publishEvent("none of the outbox's business");
                context.publishEvent(new Happened(1));
                context.publishEvent(new Happened(2));

                assertThat(context).hasNotFailed().doesNotHaveBean(DomainEventListener.class);
              });
      assertThat(log.all("outbox.spring.boot.DomainEventWiringTest$Happened carries @OutboxEvent"))
          .singleElement()
          .asString()
          .contains("outbox.enabled=false");
      assertThat(log.has("java.lang.String")).isFalse();
    }
  }

  @Test
  void anOutboxOfTheApplicationWritesThoughTheStarterIsSwitchedOff() {
    several(TwoDatabases.class)
        .withConfiguration(AutoConfigurations.of(UnwrittenEventsAutoConfiguration.class))
        .withPropertyValues("outbox.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(DomainEventListener.class)
                    .doesNotHaveBean(UnwrittenEvents.class));
  }

  private static final DataSource SHOP = dataSource("outbox_event", "audit");
  private static final DataSource BILLING = dataSource("outbox_event");

  @Configuration(proxyBeanMethods = false)
  static class TwoDatabases {

    @Bean
    Outbox shopOutbox() {
      return outbox(SHOP, "outbox_event");
    }

    @Bean
    Outbox billingOutbox() {
      return outbox(BILLING, "outbox_event");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoTables {

    @Bean
    Outbox shopOutbox() {
      return outbox(SHOP, "outbox_event");
    }

    @Bean
    Outbox auditOutbox() {
      return outbox(SHOP, "audit");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoTablesAndOnePrimary {

    @Bean
    Outbox shopOutbox() {
      return outbox(SHOP, "outbox_event");
    }

    @Bean
    @Primary
    Outbox auditOutbox() {
      return outbox(SHOP, "audit");
    }
  }

  @Test
  void ofSeveralOutboxesTheOneOfTheTransactionGetsTheEvent() {
    several(TwoDatabases.class)
        .run(
            context -> {
              in(BILLING, () -> context.publishEvent(new Happened(3)));

              assertThat(payloads(BILLING, "outbox_event")).containsExactly("{\"number\":3}");
              assertThat(payloads(SHOP, "outbox_event")).isEmpty();
              assertThatIllegalStateException()
                  .isThrownBy(() -> context.publishEvent(new Happened(3)))
                  .withMessageContainingAll("2 outboxes", "@Transactional");
            });
  }

  @Test
  void ofSeveralInOneDatabaseThePrimaryOneGetsTheEvent() {
    several(TwoTablesAndOnePrimary.class)
        .run(
            context -> {
              in(SHOP, () -> context.publishEvent(new Happened(4)));

              assertThat(payloads(SHOP, "audit")).containsExactly("{\"number\":4}");
              assertThat(payloads(SHOP, "outbox_event")).isEmpty();
            });
    several(TwoTables.class)
        .run(
            context ->
                assertThatIllegalStateException()
                    .isThrownBy(() -> in(SHOP, () -> context.publishEvent(new Happened(4))))
                    .withMessageContainingAll("2 outboxes share", "@Primary"));
  }

  private static ApplicationContextRunner several(Class<?> outboxes) {
    return Applications.withoutDataSource()
        .withConfiguration(AutoConfigurations.of(DomainEventsAutoConfiguration.class))
        .withUserConfiguration(outboxes);
  }

  private static void in(DataSource dataSource, Runnable work) {
    new TransactionTemplate(new DataSourceTransactionManager(dataSource))
        .executeWithoutResult(status -> work.run());
  }

  private static DataSource dataSource(String... tables) {
    DataSource dataSource =
        new DriverManagerDataSource(
            "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
    for (String table : tables) {
      OutboxSchema.of("h2").unordered().withTable(TableName.of(table)).apply(dataSource);
    }
    return dataSource;
  }

  private static Outbox outbox(DataSource dataSource, String table) {
    return Outbox.writerOnly()
        .store(new H2OutboxStore(table))
        .connectionProvider(new DataSourceConnectionProvider(dataSource))
        .txContext(new SpringTxContext(dataSource))
        .build();
  }

  private static void publish(
      ApplicationContext transactional, ApplicationContext publisher, Object event) {
    transaction(transactional).executeWithoutResult(status -> publisher.publishEvent(event));
  }

  private static TransactionTemplate transaction(ApplicationContext context) {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  private static List<String> payloads(ApplicationContext context) {
    return payloads(context.getBean(DataSource.class), "outbox_event");
  }

  private static List<String> payloads(DataSource dataSource, String table) {
    return new JdbcTemplate(dataSource)
        .queryForList("SELECT payload FROM %s ORDER BY seq".formatted(table), String.class);
  }
}
