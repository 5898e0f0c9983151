package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.ClassUtils;
import outbox.Outbox;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.micrometer.MicrometerMetricsExporter;
import outbox.spi.MetricsExporter;
import outbox.spring.SpringTxContext;

/** The meter registry of the application is told of the outbox, without any bean for that. */
class MetricsTest {

  /** Those of Spring Boot 3.5 and of 4; each test runs with those that are there. */
  private static final List<String> REGISTRY =
      List.of(
          "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
          "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
          "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration",
          "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
          "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
          "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration");

  @Test
  void metersAreBoundWithoutABeanOrAProperty() {
    withRegistry()
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

              MeterRegistry registry = context.getBean(MeterRegistry.class);
              Applications.until(() -> delivered(registry, "outbox_event") == 1);
              assertThat(
                      registry.get("outbox.written").tag("type", "OrderPlaced").counter().count())
                  .isEqualTo(1);
              assertThat(registry.get("outbox.dispatch.success").counter().count()).isEqualTo(1);
              Applications.until(() -> registry.get("outbox.pending").gauge().value() == 0);
              Applications.until(() -> registry.get("outbox.relay.leader").gauge().value() == 1);
            });
  }

  @Test
  void everyTableThatIsDeliveredFromIsWatched() {
    withRegistry()
        .withPropertyValues("outbox.table=a_outbox", "outbox.relay.tables=a_outbox,b_outbox")
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

              MeterRegistry registry = context.getBean(MeterRegistry.class);
              Applications.until(() -> delivered(registry, "a_outbox") == 1);
              assertThat(registry.find("outbox.pending").gauges())
                  .extracting(gauge -> gauge.getId().getTag("table"))
                  .containsExactlyInAnyOrder("a_outbox", "b_outbox");
              assertThat(registry.find("outbox.relay.leader").gauges()).hasSize(2);
            });
  }

  @Test
  void aWriterIsWatchedToo() {
    withRegistry()
        .withPropertyValues("outbox.relay.enabled=false")
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(
                      registry.get("outbox.written").tag("type", "OrderPlaced").counter().count())
                  .isEqualTo(1);
            });
  }

  @Test
  void propertiesReachTheMeters() {
    withRegistry()
        .withPropertyValues(
            "outbox.relay.enabled=false",
            "outbox.metrics.refresh-interval=50ms",
            "outbox.metrics.count-limit=2",
            "outbox.metrics.max-event-types=0",
            "outbox.metrics.percentiles=0.9")
        .run(
            context -> {
              for (int i = 0; i < 3; i++) {
                Applications.write(context, "OrderPlaced", "{\"orderId\":1}");
              }

              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.get("outbox.written").tag("type", "other").counter().count())
                  .isEqualTo(3);
              Applications.until(() -> registry.get("outbox.pending").gauge().value() == 2);
              assertThat(
                      registry
                          .get("outbox.poll.time")
                          .tag("result", "success")
                          .timer()
                          .takeSnapshot()
                          .percentileValues())
                  .hasSize(1);
            });
  }

  @Test
  void metersCanBeSwitchedOff() {
    withRegistry()
        .withPropertyValues("outbox.metrics.enabled=false", "outbox.metrics.count-limit=2")
        .run(context -> assertNoMeters(context.getBean(MeterRegistry.class)));
  }

  @Test
  void anExporterOfTheApplicationIsUsedInstead() {
    withRegistry()
        .withBean(
            MetricsExporter.class, () -> new MicrometerMetricsExporter(new SimpleMeterRegistry()))
        .run(context -> assertNoMeters(context.getBean(MeterRegistry.class)));
  }

  @Test
  void metersOfTheApplicationAreUsedInstead() {
    List<String> asked = new CopyOnWriteArrayList<>();
    ApplicationContextRunner own =
        withRegistry()
            .withBean(
                OutboxMeters.class,
                () ->
                    table -> {
                      asked.add(table);
                      return MetricsExporter.NOOP;
                    });

    own.run(
        context -> {
          assertThat(context).hasSingleBean(OutboxMeters.class);
          assertThat(asked).containsOnly("outbox_event");
          assertNoMeters(context.getBean(MeterRegistry.class));
        });
    own.withPropertyValues("outbox.metrics.count-limit=5")
        .run(
            context ->
                assertThat(Applications.refusal(context.getStartupFailure()))
                    .hasMessageContaining("OutboxMeters bean of its own"));
  }

  @Test
  void nothingStandsAtZeroForAnOutboxOfTheApplication() {
    withRegistry(Applications.withoutDataSource())
        .withBean("own", Outbox.class, MetricsTest::ownOutbox)
        .withPropertyValues("outbox.metrics.count-limit=2")
        .run(
            context -> {
              MeterRegistry registry = context.getBean(MeterRegistry.class);
              assertThat(registry.find("outbox.enqueue.hot").counter()).isNull();
              assertThat(registry.get("outbox.pending").gauge().getId().getTag("table"))
                  .isEqualTo("own");
            });
  }

  private static Outbox ownOutbox() {
    DriverManagerDataSource dataSource =
        new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    OutboxSchema.of("h2").apply(dataSource);
    return Outbox.writerOnly()
        .store(new H2OutboxStore())
        .connectionProvider(new DataSourceConnectionProvider(dataSource))
        .txContext(new SpringTxContext(dataSource))
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.micrometer", "none"})
  void anApplicationWithoutARegistryStartsAndDelivers(String missing) {
    Applications.listening()
        .withConfiguration(AutoConfigurations.of(OutboxMetricsAutoConfiguration.class))
        .withClassLoader(new FilteredClassLoader(missing))
        .run(
            context -> {
              assertThat(context).hasNotFailed().doesNotHaveBean(RegisteredMeters.class);
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");
              Applications.until(() -> !context.getBean(Orders.class).placed.isEmpty());
            });
  }

  @Test
  void propertiesWithoutEffectAreRefused() {
    Applications.listening()
        .withPropertyValues("outbox.metrics.count-limit=5")
        .run(
            context ->
                assertThat(Applications.refusal(context.getStartupFailure()))
                    .hasMessageContaining("no MeterRegistry"));
    withRegistry()
        .withBean(MetricsExporter.class, () -> MetricsExporter.NOOP)
        .withPropertyValues("outbox.metrics.count-limit=5")
        .run(
            context ->
                assertThat(Applications.refusal(context.getStartupFailure()))
                    .hasMessageContaining("MetricsExporter bean of its own"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "outbox.metrics.refresh-interval=0s",
        "outbox.metrics.count-limit=0",
        "outbox.metrics.max-event-types=-1",
        "outbox.metrics.percentiles=95"
      })
  void propertiesThatMakeNoSenseAreRefused(String property) {
    withRegistry()
        .withPropertyValues(property)
        .run(
            context ->
                assertThat(Applications.refusal(context.getStartupFailure()))
                    .hasMessageContaining("outbox.metrics"));
  }

  private static void assertNoMeters(MeterRegistry registry) {
    assertThat(registry.getMeters())
        .extracting(meter -> meter.getId().getName())
        .noneMatch(name -> name.startsWith("outbox."));
  }

  private static double delivered(MeterRegistry registry, String table) {
    var counter =
        registry
            .find("outbox.deliveries")
            .tags("table", table, "type", "OrderPlaced", "result", "delivered")
            .counter();
    return counter == null ? 0 : counter.count();
  }

  private static ApplicationContextRunner withRegistry() {
    return withRegistry(Applications.listening());
  }

  private static ApplicationContextRunner withRegistry(ApplicationContextRunner application) {
    Class<?>[] registry =
        Stream.concat(REGISTRY.stream(), Stream.of(OutboxMetricsAutoConfiguration.class.getName()))
            .filter(name -> ClassUtils.isPresent(name, null))
            .map(name -> ClassUtils.resolveClassName(name, null))
            .toArray(Class<?>[]::new);
    return application.withConfiguration(AutoConfigurations.of(registry));
  }
}
