package outbox.jdbc.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/**
 * What a node with nothing to do asks of the database, with the settings that it has by default.
 */
class PostgresIdleTest {

  private static final Duration WATCHED = Duration.ofSeconds(6);

  private final Database database = Databases.postgres().fresh();
  private final List<String> executed = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void idleNodeMakesTwoStatementsPerSecondAtMost() {
    DataSource watched = watched(database.pooled());
    try (Outbox outbox =
        Outbox.multiNode()
            .database(JdbcDatabase.of(watched).createTable())
            .notifications(new PostgresNotifications(watched))
            .listener("T", event -> {})
            .build()) {
      outbox.start();
      pause(Duration.ofSeconds(2));
      executed.clear();
      long start = System.nanoTime();

      pause(WATCHED);

      List<String> idle = List.copyOf(executed);
      long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
      assertThat(idle).hasSizeLessThanOrEqualTo((int) (2 * seconds));
      assertThat(idle).as("polls").anyMatch(sql -> sql.contains("SKIP LOCKED"));
      assertThat(idle).as("looks").anyMatch(sql -> sql.contains("available_at > ?"));
    }
  }

  private static void pause(Duration duration) {
    await().pollDelay(duration).atMost(duration.plusMinutes(1)).until(() -> true);
  }

  private DataSource watched(DataSource dataSource) {
    return proxy(
        DataSource.class,
        dataSource,
        (method, argument, result) ->
            result instanceof Connection connection ? watched(connection) : result);
  }

  private Connection watched(Connection connection) {
    return proxy(
        Connection.class,
        connection,
        (method, argument, result) -> {
          if (result instanceof PreparedStatement prepared) {
            return proxy(PreparedStatement.class, prepared, noting(argument));
          }
          return result instanceof Statement statement
              ? proxy(Statement.class, statement, noting(null))
              : result;
        });
  }

  private After noting(String prepared) {
    return (method, argument, result) -> {
      if (method.startsWith("execute")) {
        executed.add(prepared == null ? argument : prepared);
      }
      return result;
    };
  }

  private interface After {
    Object apply(String method, String argument, Object result);
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                String argument = arguments == null ? "" : String.valueOf(arguments[0]);
                return after.apply(method.getName(), argument, method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
