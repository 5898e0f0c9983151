package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MariaDbEventPurger;
import outbox.jdbc.schema.OutboxSchema;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbErrorsTest extends StoreErrorsContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MariaDbEventPurger();
  }

  /** The default from MariaDB 11.6.2 on. */
  @Nested
  class WithSnapshotIsolation {

    private final EventEnvelope event =
        EventEnvelope.builder("OrderPlaced").eventId("e").payloadJson("{}").build();

    @BeforeEach
    void begin() throws SQLException {
      OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
      JdbcTemplate.update(connection, "SET SESSION innodb_snapshot_isolation = ON");
      connection.setAutoCommit(false);
    }

    @Test
    void idThatWasTakenSinceTheTransactionBeganSaysToRunItAgain() throws SQLException {
      readThenTake();

      assertThatThrownBy(() -> store.insertIfAbsent(connection, event, null))
          .isInstanceOf(OutboxStoreException.class)
          .hasMessageContainingAll("insert event e", "run it again", "READ COMMITTED");
      connection.rollback();
    }

    @Test
    void idThatWasTakenSinceTheTransactionBeganIsFoundAtReadCommitted() throws SQLException {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      readThenTake();

      assertThat(store.insertIfAbsent(connection, event, null)).isFalse();
      connection.rollback();
    }

    private void readThenTake() throws SQLException {
      assertThat(store.find(connection, "e")).isEmpty();
      try (Connection other = database.dataSource().getConnection()) {
        store.insertNew(other, event);
      }
    }
  }
}
