package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.jdbc.schema.OutboxSchema;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** The driver's own copies of large rows fit into a small heap, too. */
@Timeout(180)
class PostgresSmallHeapTest {

  private static final int EVENTS = 200;

  @Test
  void backlogOfLargeEventsIsDeliveredInASmallHeap() throws Exception {
    try (Database database = Databases.postgres().fresh()) {
      OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
      try (Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(
            """
            INSERT INTO outbox_event
              (event_id, event_type, aggregate_type, payload, status, attempts, available_at, created_at)
            SELECT 'large-' || n, 'Large', '__GLOBAL__', to_json(repeat('x', 1048574)), 0, 0,
                   now(), now()
            FROM generate_series(1, %d) n
            """
                .formatted(EVENTS));

        Process relay = relay(database.url());
        String output = new String(relay.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(relay.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(relay.exitValue()).as(output).isZero();
        try (ResultSet done =
            statement.executeQuery("SELECT count(*) FROM outbox_event WHERE status = 1")) {
          done.next();
          assertThat(done.getInt(1)).isEqualTo(EVENTS);
        }
      }
    }
  }

  private static Process relay(String url) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            LargeEventRelay.class.getName(),
            url,
            Integer.toString(EVENTS))
        .redirectErrorStream(true)
        .start();
  }
}
