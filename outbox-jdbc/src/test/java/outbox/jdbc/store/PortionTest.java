package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.OutboxEvent;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PortionTest {

  private static final String SMALL = "{}";
  private static final String LARGE = "{\"text\":\"" + "x".repeat(1000) + "\"}";

  private final H2OutboxStore store = new H2OutboxStore();
  private final Portion<OutboxEvent> portion =
      new Portion<>(store.events, UnaryOperator.identity(), (row, event) -> event, "");

  /** As a query reads it that leaves out large payloads. */
  private static OutboxEvent row(String id, String payload) {
    return new OutboxEvent(id, "T", null, null, null, payload, null, 0, Instant.EPOCH);
  }

  @Test
  void rowThatGoesWhileItIsReadIsOneThatWasThere() throws Exception {
    List<OutboxEvent> read = List.of(row("a", SMALL), row("b", null), row("gone", null));
    try (Database fresh = Databases.h2().fresh();
        Connection connection = fresh.dataSource().getConnection()) {
      JdbcDatabase.of(fresh.dataSource()).createTable();
      store.insertNew(
          connection, EventEnvelope.builder("T").eventId("b").payloadJson(LARGE).build());

      Portion.Fitting<OutboxEvent> some = portion.of(connection, read, 100_000);
      Portion.Fitting<OutboxEvent> all = portion.of(connection, read.subList(0, 2), 100_000);

      assertThat(some.rows()).extracting(OutboxEvent::payloadJson).containsExactly(SMALL, LARGE);
      assertThat(some.isCut()).as("there may be more behind what is left").isTrue();
      assertThat(all.rows()).isEqualTo(some.rows());
      assertThat(all.isCut()).isFalse();
    }
  }
}
