package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowingConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.spi.Claim;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresPlanTest extends PlanContract {

  @Override
  Database server() {
    return Databases.postgres();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new PostgresEventPurger();
  }

  @Override
  List<String> fill() {
    return List.of(
        """
        INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at,
          done_at)
        SELECT 'done-' || n, 'T', '{}', 1, at, at, at
        FROM generate_series(1, 1000000) n, LATERAL (SELECT now() - n * INTERVAL '1 second' AS at)
        """,
        "ANALYZE outbox_event");
  }

  @Override
  List<String> insertLater() {
    return List.of(
        """
        INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
        SELECT 'later-' || n, 'T', '{}', 0, now() + INTERVAL '7 days', now()
        FROM generate_series(1, 100000) n
        """,
        "VACUUM ANALYZE outbox_event");
  }

  @Override
  long entriesRead(Statement statement) throws SQLException {
    statement.execute("SELECT pg_stat_force_next_flush()");
    try (ResultSet row =
        statement.executeQuery(
            "SELECT idx_tup_read FROM pg_stat_user_indexes"
                + " WHERE indexrelname = 'outbox_event_pending'")) {
      row.next();
      long read = row.getLong(1);
      statement.execute("SELECT pg_stat_reset()");
      return read;
    }
  }

  @Override
  void assertUses(String plan, String index) {
    assertThat(plan).contains("outbox_event_" + index).doesNotContain("Seq Scan");
  }

  @Override
  void assertDoesNotSort(String plan) {
    assertThat(plan).doesNotContain("Sort");
  }

  @Override
  void assertReadsAlongNumbers(String plan) {
    assertUses(plan, "ordered");
    assertDoesNotSort(plan);
  }

  @Override
  void assertChangesByPrimaryKey(String plan) {
    assertThat(plan).contains("outbox_event_pkey").doesNotContain("Seq Scan");
  }

  /** An empty table that was analyzed makes the index of pending rows look small for a while. */
  @Test
  void completionKeepsOffThePendingIndexHoweverSmallTheTableSeemed() throws Exception {
    try (Database database = server().fresh()) {
      OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
      PostgresOutboxStore store = new PostgresOutboxStore();
      try (Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("VACUUM ANALYZE outbox_event");
        List<EventEnvelope> events =
            IntStream.range(0, 2000).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
        store.insertBatch(connection, events);
        RecordingConnection recording = new RecordingConnection(connection);

        store.settle(
            recording.connection(),
            events.stream()
                .limit(100)
                .map(e -> new Settlement(e.eventId(), null, new Outcome.Delivered(false)))
                .toList());
        store.markDone(recording.connection(), events.get(100).eventId());

        assertThat(recording.plans())
            .hasSize(2)
            .allSatisfy(plan -> assertThat(plan).doesNotContain("outbox_event_pending"));
      }
    }
  }

  @Test
  void theBacklogIsReadUpToTheLimitHoweverOldTheStatisticsAre() throws Exception {
    assertReadsFew(
        connection ->
            assertThat(new PostgresOutboxStore().backlog(connection, 1000).pending())
                .isEqualTo(1000));
  }

  @Test
  void claimReadsUpToItsLimitHoweverOldTheStatisticsAre() throws Exception {
    PostgresOutboxStore store = new PostgresOutboxStore();
    Claim claim = Claim.starting("node-1", Clock.systemUTC(), Duration.ofMinutes(5));

    assertReadsFew(connection -> assertThat(fetch(store, connection, claim)).hasSize(1000));
  }

  @Test
  void pollReadsUpToItsLimitHoweverOldTheStatisticsAre() throws Exception {
    PostgresOutboxStore store = new PostgresOutboxStore();

    assertReadsFew(connection -> assertThat(fetch(store, connection, null)).hasSize(1000));
  }

  private static List<Fetched> fetch(
      PostgresOutboxStore store, Connection connection, @Nullable Claim claim) {
    Instant soon = Instant.now().plusSeconds(60);
    return store.fetch(
        connection, new Fetch(soon, Duration.ZERO, 1000, EventFilter.ALL, claim, null));
  }

  /** As after an outage: when the statistics were made, nothing was pending. */
  private void assertReadsFew(ThrowingConsumer<Connection> read) throws Exception {
    String insert =
        """
        INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
        SELECT '%s-' || n, 'T', '{}', %d, now(), now() FROM generate_series(1, 100000) n
        """;
    try (Database database = server().fresh()) {
      OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
      try (Connection connection = database.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("ALTER TABLE outbox_event SET (autovacuum_enabled = false)");
        statement.execute(insert.formatted("done", 1));
        statement.execute("ANALYZE outbox_event");
        statement.execute(insert.formatted("pending", 0));
        entriesRead(statement);

        read.accept(connection);

        assertThat(entriesRead(statement)).isBetween(1000L, 3000L);
      }
    }
  }
}
