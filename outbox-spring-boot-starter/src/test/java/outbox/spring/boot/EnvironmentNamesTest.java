package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import outbox.Outbox;
import outbox.dead.DeadEventManager;
import outbox.model.EventStatus;

/** The names that operators set in the environment of a process. */
class EnvironmentNamesTest {

  private static final Map<String, Object> ALL =
      Map.ofEntries(
          Map.entry("OUTBOX_RELAY_ENABLED", "true"),
          Map.entry("OUTBOX_RELAY_TABLES", "public.org_outbox"),
          Map.entry("OUTBOX_RELAY_POLL_INTERVAL", "3s"),
          Map.entry("OUTBOX_RELAY_BATCH_SIZE", "123"),
          Map.entry("OUTBOX_RELAY_LOCK_TTL", "45s"),
          Map.entry("OUTBOX_RELAY_MAX_ATTEMPTS", "1"),
          Map.entry("OUTBOX_RELAY_DISPATCH_TIMEOUT", "31s"),
          Map.entry("OUTBOX_LAST_ERROR_MAX_BYTES", "64"),
          Map.entry("OUTBOX_CLEANER_ENABLED", "true"),
          Map.entry("OUTBOX_CLEANER_TABLES", "public.org_outbox"),
          Map.entry("OUTBOX_CLEANER_INTERVAL", "1m"),
          Map.entry("OUTBOX_CLEANER_RETENTION", "169h"),
          Map.entry("OUTBOX_CLEANER_DEAD_RETENTION", "170h"));

  static List<Arguments> names() {
    List<Arguments> names = new ArrayList<>();
    add(names, "OUTBOX_RELAY_ENABLED", "false", all -> all.relay().enabled(), false);
    add(
        names,
        "OUTBOX_RELAY_TABLES",
        "public.org_outbox,public.hrm_outbox",
        all -> all.relay().tables(),
        List.of("public.org_outbox", "public.hrm_outbox"));
    add(names, "OUTBOX_RELAY_SINGLE_ACTIVE", "true", all -> all.relay().singleActive(), true);
    add(
        names,
        "OUTBOX_RELAY_POLL_INTERVAL",
        "1s",
        all -> all.relay().pollInterval(),
        Duration.ofSeconds(1));
    add(names, "OUTBOX_RELAY_BATCH_SIZE", "100", all -> all.relay().batchSize(), 100);
    add(names, "OUTBOX_RELAY_LOCK_TTL", "60s", all -> all.relay().lockTtl(), Duration.ofMinutes(1));
    add(names, "OUTBOX_RELAY_MAX_ATTEMPTS", "25", all -> all.relay().maxAttempts(), 25);
    add(
        names,
        "OUTBOX_RELAY_DISPATCH_TIMEOUT",
        "30s",
        all -> all.relay().dispatchTimeout(),
        Duration.ofSeconds(30));
    add(names, "OUTBOX_LAST_ERROR_MAX_BYTES", "2048", OutboxProperties::lastErrorMaxBytes, 2048);
    addCleaner(names);
    return names;
  }

  private static void addCleaner(List<Arguments> names) {
    add(names, "OUTBOX_CLEANER_ENABLED", "false", all -> all.cleaner().enabled(), false);
    add(
        names,
        "OUTBOX_CLEANER_TABLES",
        "public.org_outbox",
        all -> all.cleaner().tables(),
        List.of("public.org_outbox"));
    add(
        names,
        "OUTBOX_CLEANER_INTERVAL",
        "1m",
        all -> all.cleaner().interval(),
        Duration.ofMinutes(1));
    add(
        names,
        "OUTBOX_CLEANER_RETENTION",
        "168h",
        all -> all.cleaner().retention(),
        Duration.ofDays(7));
    add(
        names,
        "OUTBOX_CLEANER_DEAD_RETENTION",
        "0",
        c -> c.cleaner().deadRetention(),
        Duration.ZERO);
  }

  private static void add(
      List<Arguments> names,
      String name,
      String value,
      Function<OutboxProperties, Object> property,
      Object expected) {
    names.add(Arguments.of(name, value, property, expected));
  }

  @ParameterizedTest(name = "{0}={1}")
  @MethodSource("names")
  void nameBinds(
      String name, String value, Function<OutboxProperties, Object> property, Object expected) {
    assertThat(property.apply(bound(Map.of(name, value)))).isEqualTo(expected);
  }

  @Test
  void everyNameHasItsEffect() {
    try (LogLines log = new LogLines()) {
      Applications.withEnvironment(Applications.empty(), ALL)
          .withBean(Failing.class)
          .run(
              context -> {
                String id = Applications.write(context, "OrderPlaced", "{}");

                DeadEventManager events = context.getBean(DeadEventManager.class);
                Applications.until(
                    () -> events.find(id).orElseThrow().status() == EventStatus.DEAD);
                assertThat(events.find(id).orElseThrow().lastError())
                    .startsWith(IllegalStateException.class.getName())
                    .satisfies(
                        error ->
                            assertThat(error.getBytes(StandardCharsets.UTF_8).length)
                                .isBetween(61, 64));
                assertThat(log.line("dispatcher started"))
                    .contains("maxAttempts=1 ", "dispatchTimeout=PT31S");
                assertThat(log.line("poller started"))
                    .contains("interval=PT3S", "batchSize=123", "for PT45S");
                assertThat(log.line("purger started"))
                    .contains("DONE events after PT169H", "DEAD events after PT170H", "every PT1M");
              });
    }
  }

  @Test
  void singleActiveHasOneOfSeveralDeliver() {
    Map<String, Object> variables =
        Map.of(
            "OUTBOX_RELAY_SINGLE_ACTIVE", "true",
            "OUTBOX_RELAY_LOCK_TTL", "45s",
            "OUTBOX_RELAY_POLL_INTERVAL", "700ms",
            "OUTBOX_RELAY_BATCH_SIZE", "20");
    try (LogLines log = new LogLines()) {
      Applications.withEnvironment(Applications.listening(), variables)
          .run(
              context -> {
                Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

                Applications.until(() -> !context.getBean(Orders.class).placed.isEmpty());
                assertThat(log.line("ordered relay started"))
                    .contains("partitions=1", "lease=PT45S", "onDead=SKIP")
                    .contains("interval=PT0.7S", "batchSize=20");
              });
    }
  }

  @Test
  void nothingIsCleanedWithoutCleanerAndNoDeadEventWithRetentionZero() {
    try (LogLines log = new LogLines()) {
      Applications.withEnvironment(
              Applications.listening(), Map.of("OUTBOX_CLEANER_ENABLED", "false"))
          .run(context -> assertThat(context).hasSingleBean(Outbox.class));
      assertThat(log.has("purger started")).isFalse();

      Applications.withEnvironment(
              Applications.listening(), Map.of("OUTBOX_CLEANER_DEAD_RETENTION", "0"))
          .run(context -> assertThat(context).hasSingleBean(Outbox.class));
      assertThat(log.line("purger started")).doesNotContain("DEAD");
    }
  }

  @Test
  void whatIsNotCleanedHereCanBeCleanedElsewhere() {
    Map<String, Object> variables = new LinkedHashMap<>();
    variables.put("OUTBOX_TABLE", "hrm_outbox");
    variables.put("OUTBOX_RELAY_TABLES", "hrm_outbox,org_outbox");
    variables.put("OUTBOX_CLEANER_TABLES", "org_outbox");

    assertThat(Settings.of(bound(variables).each()).cleaned())
        .extracting("name")
        .containsOnly("org_outbox");
  }

  private static OutboxProperties bound(Map<String, Object> variables) {
    StandardEnvironment environment = new StandardEnvironment();
    String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    environment
        .getPropertySources()
        .replace(name, new SystemEnvironmentPropertySource(name, variables));
    ConfigurationPropertySources.attach(environment);
    return Binder.get(environment).bind("outbox", OutboxProperties.class).get();
  }

  static class Failing {

    @OutboxListener("OrderPlaced")
    void fail() {
      throw new IllegalStateException("é".repeat(500));
    }
  }
}
