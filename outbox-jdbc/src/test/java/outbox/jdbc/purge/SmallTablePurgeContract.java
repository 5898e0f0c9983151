package outbox.jdbc.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.RecordingConnection;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.spi.PurgeRequest;
import outbox.spi.PurgeRequest.Scope;
import outbox.testing.databases.Database;

/**
 * InnoDB likes to scan small tables, and a scan that deletes waits for the rows of others: two
 * purgers would deadlock.
 */
abstract class SmallTablePurgeContract {

  abstract Database server();

  abstract AbstractJdbcEventPurger purger();

  @Test
  void smallTableIsNotScannedForTheDelete() throws Exception {
    try (Database database = server().fresh()) {
      OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
      AbstractJdbcOutboxStore store = JdbcOutboxStores.detect(database.dataSource());
      try (Connection connection = database.dataSource().getConnection()) {
        insertDone(store, connection);
        connection.setAutoCommit(false);
        RecordingConnection recording = new RecordingConnection(connection);
        Instant soon = Clock.systemUTC().instant().plus(Duration.ofMinutes(1));

        purger()
            .purge(recording.connection(), new PurgeRequest(Scope.DONE, soon, 16, events -> {}));

        connection.rollback();
        assertThat(recording.plans()).hasSize(3);
        assertThat(recording.plans().get(0)).contains("key=outbox_event_ended");
        assertThat(recording.plans().get(2)).contains("key=PRIMARY").contains("type=range");
      }
    }
  }

  private static void insertDone(AbstractJdbcOutboxStore store, Connection connection) {
    List<EventEnvelope> events =
        IntStream.range(0, 20).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
    store.insertBatch(connection, events);
    events.forEach(event -> store.markDone(connection, event.eventId()));
  }
}
