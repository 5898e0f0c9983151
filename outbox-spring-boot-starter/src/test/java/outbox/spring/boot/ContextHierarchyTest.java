package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.Outbox;
import outbox.OutboxStatus.State;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.TableName;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.registry.ListenerRegistry;
import outbox.spring.SpringTxContext;

/**
 * An outbox belongs to the context that it is a bean of; contexts below write to it and show it.
 */
class ContextHierarchyTest {

  /** Those of meters end by themselves, soon. */
  @AfterEach
  void everyThreadEnds() {
    Applications.until(() -> Applications.outboxThreads().isEmpty());
  }

  private static ApplicationContextRunner parent() {
    return Applications.listening()
        .withPropertyValues("outbox.table=a_outbox", "outbox.relay.tables=a_outbox,b_outbox");
  }

  private static ApplicationContextRunner child(ApplicationContext parent) {
    return Applications.empty().withParent(parent);
  }

  private static long pollers() {
    return Applications.outboxThreads().stream().filter(name -> name.contains("poller")).count();
  }

  private static void assertDelivers(
      ApplicationContext parent, ApplicationContext writing, int orderId) {
    Applications.write(writing, "OrderPlaced", "{\"orderId\":%d}".formatted(orderId));
    Orders orders = parent.getBean(Orders.class);
    Applications.until(() -> orders.placed.contains(orderId));
    assertThat(parent.getBean(Outbox.class).status().state()).isEqualTo(State.STARTED);
  }

  @Test
  void aChildLeavesDeliveryToItsParent() {
    parent()
        .run(
            parent -> {
              assertThat(pollers()).isEqualTo(2);

              child(parent)
                  .run(
                      child -> {
                        assertThat(child).hasNotFailed();
                        assertThat(pollers()).isEqualTo(2);
                        assertDelivers(parent, child, 1);
                      });

              assertThat(pollers()).isEqualTo(2);
              assertDelivers(parent, parent, 2);
            });
  }

  static class Late {

    final List<String> heard = new CopyOnWriteArrayList<>();

    @OutboxListener("Late")
    void hear(String payload) {
      heard.add(payload);
    }
  }

  @Test
  void aListenerOfAChildIsRefusedBecauseTheParentDeliversBeforeItIsThere() {
    parent()
        .run(
            parent -> {
              child(parent)
                  .withBean(Late.class)
                  .run(
                      child -> {
                        RefusedException refused = Applications.refusal(child.getStartupFailure());
                        assertThat(refused.problem())
                            .contains("Late.hear(String)", "parent context");
                        assertThat(refused.remedy()).contains("outbox.enabled=false");
                      });

              assertDelivers(parent, parent, 1);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class OutboxOfChild {

    @Bean
    Outbox childOutbox(DataSource dataSource, ListenerRegistry listeners) {
      OutboxSchema.of("h2").unordered().withTable(TableName.of("child_outbox")).apply(dataSource);
      return Outbox.multiNode()
          .store(new H2OutboxStore("child_outbox"))
          .connectionProvider(new DataSourceConnectionProvider(dataSource))
          .txContext(new SpringTxContext(dataSource))
          .listenerRegistry(listeners)
          .build();
    }
  }

  @Test
  void anOutboxOfAChildHasTheListenersOfTheChild() {
    parent()
        .run(
            parent -> {
              child(parent)
                  .withBean(Late.class)
                  .withUserConfiguration(OutboxOfChild.class)
                  .run(
                      child -> {
                        assertThat(child).hasNotFailed();
                        Outbox own = child.getBean("childOutbox", Outbox.class);
                        new TransactionTemplate(child.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> own.writer().write("Late", "{}"));

                        Late late = child.getBean(Late.class);
                        Applications.until(() -> !late.heard.isEmpty());
                        assertDelivers(parent, parent, 1);
                      });

              assertDelivers(parent, parent, 2);
            });
  }

  @Test
  void aChildShowsTheOutboxOfItsParentAndOnlyTheParentWatchesIt() {
    parent()
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .withConfiguration(AutoConfigurations.of(OutboxMetricsAutoConfiguration.class))
        .run(
            parent -> {
              MeterRegistry registry = parent.getBean(MeterRegistry.class);
              child(parent)
                  .withConfiguration(
                      AutoConfigurations.of(
                          ActuatorAutoConfiguration.class, OutboxMetricsAutoConfiguration.class))
                  .run(
                      child -> {
                        assertThat(endpoint(child).status().getBody())
                            .asString()
                            .contains("state=STARTED", "table=a_outbox", "table=b_outbox");
                        assertThat(child.getBean(TimelyHealth.class).report().details())
                            .containsKeys("a_outbox", "b_outbox");
                      });

              assertThat(registry.find("outbox.pending").gauges()).hasSize(2);
            });
  }

  private static OutboxEndpoint endpoint(ApplicationContext context) {
    return new OutboxEndpoint(
        context.getBean(WatchedOutboxes.class),
        new TableStates(Clock.systemUTC()),
        WatchedDestinations.None.NONE,
        false);
  }

  @Test
  void thatThereIsNoTableIsNoFailure() {
    Readings none = Readings.of(List.of(), table -> List.of());

    assertThat(none.status()).isEqualTo(200);
    assertThat(none.shown()).isEmpty();
  }
}
