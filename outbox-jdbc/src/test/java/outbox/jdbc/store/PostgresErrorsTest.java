package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresErrorsTest extends StoreErrorsContract {

  @Override
  Database server() {
    return Databases.postgres();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new PostgresEventPurger();
  }

  @Test
  void payloadThatIsNestedTooDeeplyIsCalledThat() {
    createTable();
    String nested = "[".repeat(100_000) + "]".repeat(100_000);
    EventEnvelope deep = EventEnvelope.builder("T").eventId("deep").payloadJson(nested).build();

    assertThatThrownBy(() -> store.insertNew(connection, deep))
        .hasMessageContaining("could not insert event deep")
        .hasMessageContaining("nested more deeply than the database reads JSON");
  }

  @Test
  void payloadThatIsNotJsonIsRefusedAndTheTransactionLives() throws SQLException {
    createTable();
    connection.setAutoCommit(false);
    store.insertNew(connection, event("good"));
    EventEnvelope bad =
        EventEnvelope.builder("T").eventId("bad-1").payloadJson("{not json").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.insertNew(connection, bad))
        .withMessageContaining("payload of event bad-1 (T) must be JSON");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.insertBatch(connection, List.of(event("also-good"), bad)))
        .withMessageNotContaining("not json");

    List<EventEnvelope> many =
        Stream.concat(IntStream.range(0, 2000).mapToObj(i -> event("many-" + i)), Stream.of(bad))
            .toList();
    assertThatIllegalArgumentException().isThrownBy(() -> store.insertBatch(connection, many));

    connection.commit();
    assertThat(store.find(connection, "many-0")).isEmpty();
    assertThat(store.find(connection, "good")).isPresent();
    assertThat(store.find(connection, "also-good")).isEmpty();
  }
}
