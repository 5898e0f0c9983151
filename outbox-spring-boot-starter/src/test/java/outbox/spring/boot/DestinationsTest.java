package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.destination.DestinationRoutes;
import outbox.destination.GuardedDestination;
import outbox.jdbc.store.H2OutboxStore;
import outbox.model.EventStatus;
import outbox.spring.boot.sent.MemoryDestination;
import outbox.spring.boot.sent.Sending;

/** Destinations as beans: routed to, copied for, shown and counted. */
class DestinationsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"outbox.mode=multi", "outbox.relay.unroutable=leave", "outbox.mode=ordered"})
  void eventsGoWhereTheRoutesLeadAndCopiesAreWrittenByTheOutbox(String property) {
    sending()
        .withPropertyValues(property)
        .run(
            context -> {
              String placed = Applications.write(context, "OrderPlaced", "{}");
              String paid = Applications.write(context, "OrderPaid", "{}");

              DataSource dataSource = context.getBean(DataSource.class);
              Applications.until(() -> Applications.count(dataSource, EventStatus.DONE) == 4);
              assertThat(taken(context, "kafkaTopics")).containsExactlyInAnyOrder(placed, paid);
              assertThat(taken(context, "partnerCalls")).containsExactly(placed);
            });
  }

  @Test
  void copiesAreWrittenWhereBeansAreLazy() {
    sending()
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new LazyInitializationBeanFactoryPostProcessor()))
        .run(
            context -> {
              String placed = Applications.write(context, "OrderPlaced", "{}");

              Applications.until(() -> taken(context, "partnerCalls").contains(placed));
            });
  }

  /** One that counts what it begins, and otherwise does what the starter would. */
  @Configuration(proxyBeanMethods = false)
  static class OwnFanOut {

    private final AtomicInteger begun = new AtomicInteger();

    @Bean
    AtomicInteger begun(
        OutboxWriter writer, DestinationRoutes routes, PlatformTransactionManager manager) {
      routes.fanOutBy(
          writer,
          () -> {
            begun.incrementAndGet();
            return SpringTransaction.begin(manager);
          });
      return begun;
    }
  }

  @Test
  void whatTheApplicationSaysOfCopiesStays() {
    sending()
        .withUserConfiguration(OwnFanOut.class)
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{}");

              Applications.until(() -> !taken(context, "partnerCalls").isEmpty());
              assertThat(context.getBean(AtomicInteger.class)).hasPositiveValue();
            });
  }

  /** Rows in another table than the event's might be delivered by others, who don't know them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "outbox.relay.tables=orders,billing",
        "outbox.table=orders outbox.relay.tables=billing",
        "outbox.table=orders outbox.relay.tables=orders,billing"
      })
  void whereOtherTablesAreDeliveredFromEventsWithSeveralDestinationsWait(String properties) {
    try (LogLines log = new LogLines()) {
      sending()
          .withPropertyValues(Applications.properties(properties))
          .run(
              context -> {
                DataSource dataSource = context.getBean(DataSource.class);
                insert(dataSource, "billing", "OrderPlaced");
                insert(dataSource, "billing", "OrderPaid");

                Applications.until(() -> taken(context, "kafkaTopics").size() == 1);
                Applications.until(() -> log.has("nobody has said how to write rows"));
                assertThat(context.getBean(DestinationRoutes.class).canFanOut()).isFalse();
                assertThat(count(dataSource, "billing")).isEqualTo(2);
                assertThat(count(dataSource, "billing WHERE attempts > 0 AND status <> 1"))
                    .isZero();
                assertThat(count(dataSource, "orders")).isZero();
              });
    }
  }

  @Test
  void routesOfAParentContextAreServedByTheOutboxOfItsChildAsLongAsThatIsThere() {
    new ApplicationContextRunner()
        .withUserConfiguration(Sending.class)
        .run(
            parent -> {
              for (int child = 0; child < 2; child++) {
                withActuator(Applications.empty())
                    .withParent(parent)
                    .run(
                        context -> {
                          String placed = Applications.write(context, "OrderPlaced", "{}");

                          Applications.until(() -> taken(parent, "partnerCalls").contains(placed));
                          assertThat(names(context)).containsExactlyInAnyOrder("kafka", "partner");
                        });
                assertThat(parent.getBean(DestinationRoutes.class).canFanOut()).isFalse();
              }
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Unused {

    @Bean
    @Lazy
    GuardedDestination unused() {
      throw new IllegalStateException("no credentials here");
    }
  }

  @Test
  void aLazyDestinationThatNobodyUsesIsNeitherMadeNorShown() {
    sending()
        .withUserConfiguration(Unused.class)
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(names(context)).containsExactlyInAnyOrder("kafka", "partner");
              assertThat(report(context).status()).isEqualTo("UP");
            });
  }

  @Test
  void oneThatIsAwayIsShownAndTheApplicationIsUp() {
    sending()
        .run(
            context -> {
              context.getBean("kafkaTopics", MemoryDestination.class).isAway = true;
              Applications.write(context, "OrderPaid", "{}");

              Applications.until(() -> details(context).contains("destination=kafka, state=DOWN"));
              assertThat(details(context))
                  .contains("destination=partner, state=UP", "connection refused", "outages=1");
              assertThat(report(context).status()).isEqualTo("UP");
            });
  }

  @Test
  void destinationsAreShownOnceThoughRoutesLeadToThem() {
    sending()
        .run(context -> assertThat(names(context)).containsExactlyInAnyOrder("kafka", "partner"));
  }

  @Test
  void metersAreBoundAndGoWithTheContext() {
    MeterRegistry registry = new SimpleMeterRegistry();
    sending()
        .withBean(MeterRegistry.class, () -> registry)
        .run(
            context -> {
              Applications.write(context, "OrderPaid", "{}");

              Applications.until(() -> delivered(registry) == 1);
              assertThat(registry.find("outbox.destination.in.flight").gauges()).hasSize(2);
            });

    assertThat(registry.find("outbox.destination.in.flight").gauges()).isEmpty();
  }

  @Test
  void withoutMetersThereAreNoneOfDestinations() {
    MeterRegistry registry = new SimpleMeterRegistry();
    sending()
        .withBean(MeterRegistry.class, () -> registry)
        .withPropertyValues("outbox.metrics.enabled=false")
        .run(context -> assertThat(registry.getMeters()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox.destination", "io.micrometer"})
  void anApplicationWithoutThemStartsAndIsShown(String missing) {
    withActuator(Applications.listening())
        .withClassLoader(new FilteredClassLoader(missing))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");
              Applications.until(() -> !context.getBean(Orders.class).placed.isEmpty());
              assertThat(report(context).details()).doesNotContainKey("destinations");
            });
  }

  @Test
  void destinationsAreClosedWithTheContext() {
    GuardedDestination[] guard = new GuardedDestination[1];

    sending().run(context -> guard[0] = context.getBean("kafka", GuardedDestination.class));

    assertThat(guard[0].health().state()).hasToString("CLOSED");
  }

  private static ApplicationContextRunner sending() {
    return withActuator(Applications.empty()).withUserConfiguration(Sending.class);
  }

  private static ApplicationContextRunner withActuator(ApplicationContextRunner application) {
    return application.withConfiguration(
        AutoConfigurations.of(
            OutboxMetricsAutoConfiguration.class,
            ActuatorAutoConfiguration.class,
            DestinationsAutoConfiguration.class));
  }

  private static List<String> taken(ApplicationContext context, String destination) {
    return context.getBean(destination, MemoryDestination.class).taken;
  }

  private static List<Object> names(ApplicationContext context) {
    return context.getBean(WatchedDestinations.class).shown().stream()
        .map(shown -> shown.get("destination"))
        .toList();
  }

  private static void insert(DataSource dataSource, String table, String type) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      new H2OutboxStore(table).insertBatch(connection, List.of(EventEnvelope.ofJson(type, "{}")));
    }
  }

  private static int count(DataSource dataSource, String rows) {
    return Objects.requireNonNull(
        new JdbcTemplate(dataSource).queryForObject("SELECT COUNT(*) FROM " + rows, Integer.class));
  }

  private static HealthReport report(ApplicationContext context) {
    return context.getBean(TimelyHealth.class).report();
  }

  private static String details(ApplicationContext context) {
    return String.valueOf(report(context).details().get("destinations"));
  }

  private static double delivered(MeterRegistry registry) {
    return registry
        .get("outbox.destination.events")
        .tags("destination", "kafka", "result", "delivered")
        .functionCounter()
        .count();
  }
}
