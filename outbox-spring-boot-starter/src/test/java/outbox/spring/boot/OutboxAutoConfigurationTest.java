package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxStatus.State;
import outbox.OutboxWriter;
import outbox.WriterHook;
import outbox.dead.DeadEventManager;
import outbox.domain.EventClasses;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.TableName;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;
import outbox.spring.SpringTxContext;

class OutboxAutoConfigurationTest {

  @Test
  void runsOnTheSpringBootThatItIsMeantToRunOn() {
    String expected = System.getProperty("outbox.test.spring-boot", "3.5");

    assertThat(SpringBootVersion.getVersion()).startsWith(expected + ".");
  }

  @Test
  void aListenerAndADataSourceAreEnough() {
    Applications.listening()
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{\"orderId\":42}");

              Orders orders = context.getBean(Orders.class);
              Applications.until(() -> !orders.placed.isEmpty());
              assertThat(orders.placed).containsExactly(42);
              assertThat(context).hasSingleBean(OutboxWriter.class);
              assertThat(context).hasSingleBean(DeadEventManager.class);
              assertThat(context.getBean(TxContext.class)).isInstanceOf(SpringTxContext.class);
              assertThat(context.getBean(Outbox.class).status().state()).isEqualTo(State.STARTED);
            });
  }

  @Test
  void aRolledBackEventIsNotThere() {
    Applications.listening()
        .run(
            context -> {
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                  .executeWithoutResult(
                      status -> {
                        context.getBean(OutboxWriter.class).write("OrderPlaced", "{}");
                        status.setRollbackOnly();
                      });

              DataSource dataSource = context.getBean(DataSource.class);
              assertThat(Applications.count(dataSource, EventStatus.NEW)).isZero();
            });
  }

  @Test
  void nothingIsSetUpWhereItIsSwitchedOff() {
    Applications.withoutDataSource()
        .withPropertyValues("outbox.enabled=false")
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class));
  }

  @Test
  void listenersAreFoundWhereBeansAreMadeOnFirstUse() {
    Applications.listening()
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new LazyInitializationBeanFactoryPostProcessor()))
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{\"orderId\":7}");

              Applications.until(() -> !context.getBean(Orders.class).placed.isEmpty());
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnParts {

    @Bean
    OutboxStore ownStore() {
      return new H2OutboxStore("own_outbox");
    }

    @Bean
    ConnectionProvider ownConnections(DataSource dataSource) {
      new JdbcTemplate(dataSource)
          .execute(OutboxSchema.of("h2").unordered().withTable(TableName.of("own_outbox")).ddl());
      return new DataSourceConnectionProvider(dataSource);
    }

    @Bean
    TxContext ownTransactions(DataSource dataSource) {
      return new SpringTxContext(dataSource);
    }

    @Bean
    ListenerRegistry ownListeners(ObjectProvider<Outbox> outbox) {
      return new DefaultListenerRegistry().register("OrderPlaced", event -> {});
    }

    @Bean
    EventClasses ownEvents() {
      return EventClasses.annotated();
    }

    @Bean
    WriterHook ownHook() {
      return new WriterHook() {};
    }
  }

  @Test
  void everyPartCanBeReplaced() {
    Applications.empty()
        .withUserConfiguration(OwnParts.class)
        .run(
            context -> {
              String id = Applications.write(context, "OrderPlaced", "{}");

              assertThat(context.getBeanNamesForType(OutboxStore.class)).containsOnly("ownStore");
              assertThat(context.getBeanNamesForType(TxContext.class))
                  .containsOnly("ownTransactions");
              assertThat(context.getBeanNamesForType(ListenerRegistry.class))
                  .containsOnly("ownListeners");
              assertThat(context.getBeanNamesForType(EventClasses.class)).containsOnly("ownEvents");
              DeadEventManager events = context.getBean(DeadEventManager.class);
              Applications.until(() -> events.find(id).orElseThrow().status() == EventStatus.DONE);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnOutbox {

    @Bean
    Outbox ownOutbox(
        OutboxStore store,
        ConnectionProvider connections,
        TxContext transactions,
        ListenerRegistry listeners) {
      return Outbox.singleNode()
          .store(store)
          .connectionProvider(connections)
          .txContext(transactions)
          .listenerRegistry(listeners)
          .build();
    }
  }

  @Test
  void anOwnOutboxIsStartedAndWrittenTo() {
    Applications.listening()
        .withUserConfiguration(OwnOutbox.class)
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

              Applications.until(() -> !context.getBean(Orders.class).placed.isEmpty());
              assertThat(context.getBeanNamesForType(Outbox.class)).containsOnly("ownOutbox");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox.mode=multi", "outbox.mode=single", "outbox.relay.batch-size=7"})
  void settingsThatAnOwnOutboxIgnoresAreRefused(String property) {
    Applications.listening()
        .withUserConfiguration(OwnOutbox.class)
        .withPropertyValues(property)
        .run(
            context ->
                assertThat(Applications.told(context.getStartupFailure()))
                    .contains(property.substring(0, property.indexOf('=')) + " has no effect")
                    .contains("an Outbox bean of its own"));
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDataSources {

    @Bean
    DataSource shop() {
      return new DriverManagerDataSource("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
    }

    @Bean
    DataSource billing() {
      return new DriverManagerDataSource("jdbc:h2:mem:billing;DB_CLOSE_DELAY=-1");
    }

    @Bean
    @Primary
    PlatformTransactionManager shopTransactions() {
      return new DataSourceTransactionManager(shop());
    }

    @Bean
    PlatformTransactionManager billingTransactions() {
      return new DataSourceTransactionManager(billing());
    }
  }

  @Configuration
  static class TwoSharedDataSources extends TwoDataSources {}

  @Test
  void theNamedDataSourceHasTheOutboxAndItsOwnTransactions() {
    Applications.withoutDataSource()
        .withBean(Orders.class)
        .withUserConfiguration(TwoSharedDataSources.class)
        .withPropertyValues("outbox.data-source=billing")
        .run(
            context -> {
              OutboxWriter writer = context.getBean(OutboxWriter.class);
              new TransactionTemplate(
                      context.getBean("billingTransactions", PlatformTransactionManager.class))
                  .executeWithoutResult(status -> writer.write("OrderPlaced", "{\"orderId\":3}"));

              Applications.until(() -> !context.getBean(Orders.class).placed.isEmpty());
              DataSource billing = context.getBean("billing", DataSource.class);
              Applications.until(() -> Applications.count(billing, EventStatus.DONE) == 1);
            });
  }

  @Test
  void eventsOfSeveralTablesReachTheSameListeners() {
    Applications.listening()
        .withPropertyValues("outbox.table=hrm_outbox", "outbox.relay.tables=org_outbox,hrm_outbox")
        .run(
            context -> {
              JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
              jdbc.update(
                  "INSERT INTO org_outbox (event_id, event_type, aggregate_type, payload, status,"
                      + " available_at, created_at) VALUES ('a', 'OrderPlaced', '__GLOBAL__',"
                      + " '{\"orderId\":1}', 0, TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP"
                      + " '2020-01-01 00:00:00')");
              Applications.write(context, "OrderPlaced", "{\"orderId\":2}");

              List<Integer> placed = context.getBean(Orders.class).placed;
              Applications.until(() -> placed.size() == 2);
              assertThat(placed).containsExactlyInAnyOrder(1, 2);
              assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM hrm_outbox", Integer.class))
                  .isOne();
            });
  }

  @Test
  void whoOnlyDeliversNeedNotSayWhereEventsAreWritten() {
    Applications.withEnvironment(
            Applications.listening(),
            Map.of("OUTBOX_RELAY_TABLES", "public.org_outbox,public.hrm_outbox"))
        .run(
            context -> {
              DataSource dataSource = context.getBean(DataSource.class);
              for (String table : List.of("org_outbox", "hrm_outbox")) {
                try (Connection connection = dataSource.getConnection()) {
                  new H2OutboxStore(table)
                      .insertNew(
                          connection, EventEnvelope.ofJson("OrderPlaced", "{\"orderId\":1}"));
                }
              }

              List<Integer> placed = context.getBean(Orders.class).placed;
              Applications.until(() -> placed.size() == 2);
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "multi", "ordered"})
  void everyModeDelivers(String mode) {
    Applications.listening()
        .withPropertyValues("outbox.mode=" + mode)
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{\"orderId\":5}");

              Applications.until(() -> !context.getBean(Orders.class).placed.isEmpty());
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox.mode=writer-only", "outbox.relay.enabled=false"})
  void eventsWaitWhereNothingIsDelivered(String property) {
    Applications.listening()
        .withPropertyValues(property)
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{\"orderId\":5}");

              DataSource dataSource = context.getBean(DataSource.class);
              assertThat(Applications.count(dataSource, EventStatus.NEW)).isOne();
              assertThat(context.getBean(Orders.class).placed).isEmpty();
              assertThat(Applications.outboxThreads()).isEmpty();
            });
  }

  @Test
  void payloadsAsTheyAreNeedNoJackson() {
    Applications.empty()
        .withClassLoader(
            new FilteredClassLoader("com.fasterxml.jackson.databind", "tools.jackson.databind"))
        .withBean(Texts.class)
        .run(
            context -> {
              Applications.write(context, "Text", "{\"a\" : 1}");

              List<String> texts = context.getBean(Texts.class).texts;
              Applications.until(() -> !texts.isEmpty());
              assertThat(texts).containsExactly("{\"a\" : 1}");
            });
  }

  static class Texts {

    final List<String> texts = new CopyOnWriteArrayList<>();

    @OutboxListener("Text")
    void text(String payload) {
      texts.add(payload);
    }
  }

  @Test
  void severalMappersOfJacksonKeepNothingFromStarting() {
    Applications.listening()
        .withBean("one", ObjectMapper.class, () -> new ObjectMapper())
        .withBean("other", ObjectMapper.class, () -> new ObjectMapper())
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Applications.write(context, "OrderPlaced", "{\"orderId\":8}");

              Applications.until(() -> !context.getBean(Orders.class).placed.isEmpty());
            });
  }

  @Test
  void anOwnReaderReplacesJackson() {
    Applications.listening()
        .withBean(PayloadReader.class, () -> (event, type) -> new Orders.OrderPlaced(99))
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{}");

              List<Integer> placed = context.getBean(Orders.class).placed;
              Applications.until(() -> !placed.isEmpty());
              assertThat(placed).containsExactly(99);
            });
  }
}
