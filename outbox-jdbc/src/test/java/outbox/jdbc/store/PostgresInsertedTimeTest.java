package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.EventDetails;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresInsertedTimeTest {

  private static final long MOST_MICROS =
      ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2150-01-01T00:00:00Z"));

  /** Sent as numbers while these are exact, and as text afterwards. */
  @Test
  void timesComeBackToTheMicrosecond() throws Exception {
    Random random = new Random(1);
    try (Database database = Databases.postgres().fresh();
        Connection connection = database.dataSource().getConnection()) {
      OutboxSchema.of("postgresql").apply(database.dataSource());
      connection.setAutoCommit(false);

      for (int i = 0; i < 3_000; i++) {
        Instant now = Instant.EPOCH.plus(random.nextLong(MOST_MICROS), ChronoUnit.MICROS);
        EventEnvelope event = EventEnvelope.builder("T").occurredAt(now).payloadJson("{}").build();
        AbstractJdbcOutboxStore store =
            new PostgresOutboxStore().withClock(Clock.fixed(now, ZoneOffset.UTC));
        store.insertNew(connection, event);

        EventDetails row = store.find(connection, event.eventId()).orElseThrow();
        assertThat(row.event().createdAt()).isEqualTo(now);
        assertThat(row.availableAt()).isEqualTo(now);
      }

      List<String> inserts =
          JdbcTemplate.query(
              connection,
              "SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO%'",
              row -> row.getString("statement"));
      assertThat(inserts).hasSize(2).filteredOn(sql -> sql.contains("to_timestamp")).hasSize(1);
    }
  }
}
