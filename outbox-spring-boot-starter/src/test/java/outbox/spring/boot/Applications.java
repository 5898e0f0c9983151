package outbox.spring.boot;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.model.EventStatus;
import outbox.testing.databases.Database;

/** Small applications with the starter, on whichever Spring Boot the tests run. */
final class Applications {

  /** Where Spring Boot 3.5 and 4 have what an application with a DataSource gets. */
  private static final List<String> AUTO_CONFIGURATIONS =
      List.of(
          "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
          "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
          "org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration",
          "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
          "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
          "org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration",
          "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
          "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration");

  private Applications() {}

  /** With a database in memory of its own, and no listener. */
  static ApplicationContextRunner empty() {
    return withoutDataSource()
        .withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());
  }

  static ApplicationContextRunner on(Database database) {
    return withoutDataSource()
        .withPropertyValues(
            "spring.datasource.url=" + database.url(),
            "spring.datasource.hikari.maximum-pool-size=6",
            "spring.datasource.hikari.minimum-idle=1");
  }

  /** With a listener for {@code OrderPlaced}. */
  static ApplicationContextRunner listening() {
    return empty().withBean(Orders.class);
  }

  static ApplicationContextRunner withoutDataSource() {
    Class<?>[] all =
        AUTO_CONFIGURATIONS.stream()
            .filter(name -> ClassUtils.isPresent(name, null))
            .map(name -> ClassUtils.resolveClassName(name, null))
            .toArray(Class<?>[]::new);
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(all))
        .withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class));
  }

  /** As if the process had been started with these variables, and no others. */
  static ApplicationContextRunner withEnvironment(
      ApplicationContextRunner runner, Map<String, Object> variables) {
    String name = "systemEnvironment";
    return runner.withInitializer(
        context ->
            context
                .getEnvironment()
                .getPropertySources()
                .replace(name, new SystemEnvironmentPropertySource(name, variables)));
  }

  /** Writes in one transaction and returns the ids. */
  static List<String> write(ApplicationContext context, EventEnvelope... events) {
    OutboxWriter writer = context.getBean(OutboxWriter.class);
    return Objects.requireNonNull(
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
            .execute(status -> writer.writeAll(List.of(events))));
  }

  static String write(ApplicationContext context, String type, String json) {
    return write(context, EventEnvelope.ofJson(type, json)).get(0);
  }

  /** Events that another process has written. */
  static void insert(DataSource dataSource, String type, int count) throws SQLException {
    var store = JdbcOutboxStores.detect(dataSource);
    try (Connection connection = dataSource.getConnection()) {
      for (int from = 0; from < count; from += 1000) {
        store.insertBatch(
            connection,
            IntStream.range(from, Math.min(count, from + 1000))
                .mapToObj(id -> EventEnvelope.ofJson(type, "{\"orderId\":%d}".formatted(id)))
                .toList());
      }
    }
  }

  static int count(DataSource dataSource, EventStatus status) {
    Integer count =
        new JdbcTemplate(dataSource)
            .queryForObject(
                "SELECT COUNT(*) FROM outbox_event WHERE status = ?", Integer.class, status.code());
    return Objects.requireNonNull(count);
  }

  static void until(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20)).until(condition);
  }

  /** Those of this library that are alive. */
  static List<String> outboxThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("outbox-"))
        .toList();
  }

  /** The message of a failure and of all its causes. */
  static String told(Throwable failure) {
    List<String> messages = new ArrayList<>();
    for (Throwable t = failure; t != null; t = t.getCause()) {
      messages.add(String.valueOf(t.getMessage()));
    }
    return String.join("\n", messages);
  }

  static RefusedException refusal(Throwable failure) {
    Throwable t = failure;
    while (!(t instanceof RefusedException) && t != null) {
      t = t.getCause();
    }
    if (t == null) {
      throw new AssertionError("not refused, but failed otherwise", failure);
    }
    return (RefusedException) t;
  }

  static String[] properties(String spaced) {
    return Arrays.stream(spaced.split(" ")).filter(each -> !each.isEmpty()).toArray(String[]::new);
  }
}
