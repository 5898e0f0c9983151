package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** A driver that sends a batch as one bulk operation doesn't tell which rows that changed. */
class MariaDbBulkSettleTest {

  private final AbstractJdbcOutboxStore store = new MariaDbOutboxStore();

  @Test
  void changedRowsAreCountedThoughTheDriverWithholdsThem() throws SQLException {
    try (Database database = Databases.mariaDb().fresh()) {
      OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
      String url = database.url();
      String bulk = url + (url.contains("?") ? "&" : "?") + "useBulkStmts=true";
      try (Connection connection = DriverManager.getConnection(bulk)) {
        List<EventEnvelope> events =
            IntStream.range(0, 5).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
        store.insertBatch(connection, events);
        store.markDone(connection, events.get(4).eventId());
        Instant now = Clock.systemUTC().instant();

        int changed =
            store.settle(
                connection,
                events.stream()
                    .map(e -> new Settlement(e.eventId(), null, new Outcome.Retry(1, now, "e")))
                    .toList());

        assertThat(changed).isEqualTo(4);
      }
    }
  }
}
