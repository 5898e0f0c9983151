package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.BlockedKey;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class BlockedKeysTest {

  private static final Instant DUE = Instant.parse("2020-01-01T00:00:00Z");

  private static EventEnvelope event() {
    return EventEnvelope.builder("Placed")
        .aggregateType("Order")
        .aggregateId("7")
        .payloadJson("{}")
        .build();
  }

  @Test
  void aLongBacklogIsNotLookedAtAsAWhole() throws SQLException {
    try (Database database = Databases.h2().fresh();
        Connection connection = database.dataSource().getConnection()) {
      OutboxSchema.of("h2").apply(connection);
      H2OutboxStore store = new H2OutboxStore();
      EventEnvelope head = event();
      store.insertNew(connection, head);
      store.insertBatch(connection, IntStream.range(0, 5).mapToObj(each -> event()).toList());
      store.markRetry(connection, head.eventId(), DUE, "failed");
      OrderedTables tables = new OrderedTables(store.events, OrderedDialect.H2);

      assertThat(depths(new BlockedKeys(tables), connection)).containsExactly(5L);
      assertThat(depths(new BlockedKeys(tables, 3), connection)).containsExactly(3L);
    }
  }

  private static List<Long> depths(BlockedKeys keys, Connection connection) {
    return keys.list(connection, "default", 10).stream().map(BlockedKey::depth).toList();
  }
}
