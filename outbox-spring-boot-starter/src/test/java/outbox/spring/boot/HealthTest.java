package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.spi.ConnectionProvider;
import outbox.spi.LeaseTable;
import outbox.spi.OrderedStore;
import outbox.spi.OutboxStore;

class HealthTest {

  private static ApplicationContextRunner application() {
    return Applications.listening()
        .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class));
  }

  private static HealthReport report(ApplicationContext context) {
    return context.getBean(TimelyHealth.class).report();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "outbox.mode=multi",
        "outbox.mode=single",
        "outbox.mode=ordered",
        "outbox.relay.single-active=true",
        "outbox.mode=writer-only"
      })
  void isUpWhereAllIsWell(String mode) {
    ApplicationContextRunner application =
        mode.endsWith("writer-only")
            ? Applications.empty()
                .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class))
            : application();
    application
        .withPropertyValues(mode)
        .run(
            context -> {
              Applications.until(() -> report(context).status().equals("UP"));
              assertThat(report(context).details()).containsKey("outbox_event");
            });
  }

  @Test
  void isDegradedWhileAnOldEventWaits() {
    application()
        .withPropertyValues("outbox.relay.enabled=false", "management.health.outbox.max-age=1m")
        .run(
            context -> {
              DataSource dataSource = context.getBean(DataSource.class);
              Applications.write(context, "OrderPlaced", "{}");
              assertThat(report(context).status()).isEqualTo("UP");

              new JdbcTemplate(dataSource)
                  .update("UPDATE outbox_event SET available_at = TIMESTAMP '2020-01-01 00:00:00'");

              HealthReport report = report(context);
              assertThat(report.status()).isEqualTo("DEGRADED");
              assertThat(report.details().get("problems"))
                  .asString()
                  .contains("oldest event of outbox_event", "longer than PT1M", "last_error");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox.mode=ordered", "outbox.relay.single-active=true"})
  void isDegradedWhileNobodyHoldsALease(String mode) {
    application()
        .withPropertyValues(mode)
        .run(
            context -> {
              Applications.until(() -> report(context).status().equals("UP"));
              context.getBean(OutboxLifecycle.class).stop();

              HealthReport report = report(context);

              assertThat(report.status()).isEqualTo("DEGRADED");
              assertThat(report.details().get("problems"))
                  .asString()
                  .contains("No relay holds a lease of outbox_event", "is not started");
            });
  }

  @Test
  void isDegradedWhileClocksAreApart() {
    application()
        .run(
            context -> {
              Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(6));
              HealthCheck check =
                  new HealthCheck(
                      context.getBean(WatchedOutboxes.class),
                      new TableStates(ahead),
                      WatchedDestinations.None.NONE,
                      context.getBean(ActuatorProperties.Health.class));

              assertThat(check.report().status()).isEqualTo("DEGRADED");
              assertThat(check.report().details().get("problems"))
                  .asString()
                  .contains("clocks of the database and of this machine are PT", "synchronize");
            });
  }

  @Test
  void isDownWhereTheDatabaseCannotBeAsked() {
    application()
        .run(
            context -> {
              new JdbcTemplate(context.getBean(DataSource.class))
                  .execute("DROP TABLE outbox_event");

              HealthReport report = report(context);

              assertThat(report.status()).isEqualTo("DOWN");
              assertThat(report.details().get("problems")).asString().contains("can't be asked");
            });
  }

  @Test
  void destinationsThatCannotBeShownHideNothingElse() {
    application()
        .run(
            context -> {
              WatchedDestinations failing =
                  changed(WatchedDestinations.class, WatchedDestinations.None.NONE, "shown", null);
              HealthCheck check =
                  new HealthCheck(
                      context.getBean(WatchedOutboxes.class),
                      context.getBean(TableStates.class),
                      failing,
                      context.getBean(ActuatorProperties.Health.class));

              assertThat(check.report().status()).isEqualTo("UP");
              assertThat(check.report().details()).containsKey("outbox_event");
              assertThat(check.report().details().get("destinations"))
                  .asString()
                  .contains("can't be shown", "UnsupportedOperationException");
            });
  }

  @Test
  void isUnknownWhereTheStoreDoesNotCount() {
    application()
        .withUserConfiguration(PlainStore.AsBean.class)
        .withPropertyValues("outbox.mode=single", "outbox.relay.unroutable=dead")
        .run(
            context -> {
              HealthReport report = report(context);

              assertThat(report.status()).isEqualTo("UNKNOWN");
              assertThat(report.details().get("unknown"))
                  .asString()
                  .contains("The store does not implement backlog", PlainStore.class.getName());
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class NodesAreNotListed {

    @Bean
    OutboxStore store(DataSource dataSource) {
      OutboxSchema.of("h2").apply(dataSource);
      OutboxStore store = new H2OutboxStore();
      LeaseTable leases = changed(LeaseTable.class, store.ordered().leases(), "nodes", null);
      return changed(
          OutboxStore.class,
          store,
          "ordered",
          changed(OrderedStore.class, store.ordered(), "leases", leases));
    }
  }

  /** One whose method has another result, or is not implemented where that is null. */
  private static <T> T changed(Class<T> type, T target, String method, Object result) {
    InvocationHandler calls =
        (proxy, called, arguments) -> {
          if (!called.getName().equals(method)) {
            return called.invoke(target, arguments);
          }
          if (result == null) {
            throw new UnsupportedOperationException();
          }
          return result;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  @Test
  void isUnknownWhereTheStoreDoesNotListNodes() {
    application()
        .withUserConfiguration(NodesAreNotListed.class)
        .withPropertyValues("outbox.mode=ordered")
        .run(
            context -> {
              HealthReport report = report(context);

              assertThat(report.status()).isEqualTo("UNKNOWN");
              assertThat(report.details().get("unknown"))
                  .asString()
                  .contains("does not implement nodes");
              assertThat(report.details().get("outbox_event")).asString().contains("pending=0");
            });
  }

  @Test
  void everyQuestionHasATimeoutOfItsOwn() {
    application()
        .withPropertyValues("outbox.mode=ordered")
        .run(
            context -> {
              WatchedTable table = context.getBean(WatchedOutboxes.class).tables().get(0);
              List<Integer> timeouts = new ArrayList<>();

              context
                  .getBean(TableStates.class)
                  .read(
                      new WatchedTable(
                          table.name(),
                          table.store(),
                          () -> listening(table.connections(), timeouts),
                          table.isDelivered(),
                          table.relay(),
                          table.blocked()),
                      1);

              assertThat(timeouts).containsExactly(30_000, 0, 30_000, 0);
            });
  }

  private static Connection listening(ConnectionProvider connections, List<Integer> timeouts)
      throws SQLException {
    Connection connection = connections.getConnection();
    InvocationHandler calls =
        (proxy, called, arguments) -> {
          if (called.getName().equals("setNetworkTimeout")) {
            timeouts.add((Integer) arguments[1]);
          }
          return called.invoke(connection, arguments);
        };
    return (Connection)
        Proxy.newProxyInstance(
            HealthTest.class.getClassLoader(), new Class<?>[] {Connection.class}, calls);
  }

  @ParameterizedTest
  @CsvSource({
    "timeout=0s, positive",
    "timeout=-1s, positive",
    "max-age=-1s, zero or positive",
    "max-clock-difference=-1s, zero or positive"
  })
  void limitsThatMakeNoSenseAreRefused(String limit, String rule) {
    String property = "management.health.outbox." + limit;
    application()
        .withPropertyValues(property)
        .run(
            context -> {
              assertThat(context).hasFailed();
              assertThat(Applications.told(context.getStartupFailure()))
                  .contains(property.replaceAll("=.*", "") + " must be " + rule);
            });
  }

  @Test
  void doesNotWaitForADatabaseThatDoesNotAnswer() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    TimelyHealth health =
        new TimelyHealth(
            () -> {
              asked.incrementAndGet();
              await(answered);
              return new HealthReport.Findings().report();
            },
            Duration.ofMillis(20));

    assertThat(health.report().status()).isEqualTo("DOWN");
    assertThat(health.report().details().get("problems")).asString().contains("within PT0.02S");
    assertThat(asked).hasValue(1);
    answered.countDown();
    Applications.until(() -> health.report().status().equals("UP"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
