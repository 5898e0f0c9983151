package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.BacklogReader;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.spi.Backlog;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** What the gauges cost PostgreSQL, with ten million DONE rows and a million pending ones. */
@Tag("large") // fills the table for minutes: make scrape-cost
class ScrapeCostTest {

  private static final Duration MOST = Duration.ofMillis(50);
  private static final int COUNT_LIMIT = 10_000;
  private static final int READS = 20;

  private static final List<String> FILL =
      List.of(
          """
          INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at,
            done_at)
          SELECT 'done-' || n, 'T', ('{"n":' || n || '}')::json, 1, at, at, at
          FROM generate_series(1, 10000000) n,
            LATERAL (SELECT now() - n * INTERVAL '50 milliseconds' AS at) times
          """,
          """
          INSERT INTO outbox_event (event_id, event_type, payload, status, attempts, available_at,
            created_at, locked_by, locked_at)
          SELECT 'pending-' || n, 'T', '{}', CASE WHEN n % 100 = 0 THEN 2 ELSE 0 END,
            CASE WHEN n % 100 = 0 THEN 1 ELSE 0 END, at, at,
            CASE WHEN n % 10 = 0 THEN 'node' END, CASE WHEN n % 10 = 0 THEN at END
          FROM generate_series(1, 1000000) n,
            LATERAL (SELECT now() - n * INTERVAL '1 millisecond' AS at) times
          """,
          """
          INSERT INTO outbox_event (event_id, event_type, payload, status, attempts, available_at,
            created_at, done_at)
          SELECT 'dead-' || n, 'T', '{}', 3, 10, now(), now(), now() FROM generate_series(1, 20000) n
          """);

  @Test
  void aScrapeCostsTheDatabaseLittle() throws SQLException {
    try (Database database = Databases.postgres().fresh()) {
      OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
      fill(database);
      BacklogReader reader =
          new BacklogReader(
              new DataSourceConnectionProvider(database.dataSource()), new PostgresOutboxStore());

      List<Duration> before = reads(reader);
      explain(database);
      execute(database, "VACUUM ANALYZE outbox_event");
      List<Duration> after = reads(reader);

      System.out.printf("neither vacuumed nor analyzed: %s%nvacuumed: %s%n", before, after);
      assertThat(median(before)).isLessThan(MOST);
      assertThat(median(after)).isLessThan(MOST);
    }
  }

  private static void fill(Database database) throws SQLException {
    for (String sql : FILL) {
      execute(database, sql);
    }
  }

  private static void execute(Database database, String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<Duration> reads(BacklogReader reader) {
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < READS; i++) {
      long start = System.nanoTime();
      Backlog backlog = reader.read(COUNT_LIMIT);
      times.add(Duration.ofNanos(System.nanoTime() - start));
      assertThat(backlog.pending()).isEqualTo(COUNT_LIMIT);
      assertThat(backlog.dead()).isEqualTo(COUNT_LIMIT);
      assertThat(backlog.locked()).isEqualTo(COUNT_LIMIT / 10);
    }
    return times;
  }

  private static void explain(Database database) throws SQLException {
    String sql =
        """
        EXPLAIN (ANALYZE, BUFFERS)
        SELECT COUNT(*), COUNT(locked_by) FROM (SELECT locked_by FROM outbox_event
        WHERE status IN (0, 2) ORDER BY available_at, event_id LIMIT 10000) looked_at
        """;
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet plan = statement.executeQuery(sql)) {
      while (plan.next()) {
        System.out.println(plan.getString(1));
      }
    }
  }

  private static Duration median(List<Duration> times) {
    return times.stream().sorted().toList().get(times.size() / 2);
  }
}
