package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.SqlErrors;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.EventKey;
import outbox.spi.OrderedStore;
import outbox.testing.databases.Database;

/** An event that dies again while somebody deletes what is left of its first death. */
abstract class BlockLeftoversContract {

  private static final String RELAY = "relay";
  private static final EventKey KEY = new EventKey("Order", "1");

  private final EventEnvelope event =
      EventEnvelope.builder("Placed")
          .aggregateType("Order")
          .aggregateId("1")
          .payloadJson("{}")
          .build();
  private Database database;
  private AbstractJdbcOutboxStore store;
  private OrderedStore ordered;
  private Connection connection;

  abstract Database server();

  @BeforeEach
  void leaveABlockBehind() throws SQLException {
    database = server().fresh();
    OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
    store = JdbcOutboxStores.detect(database.dataSource());
    ordered = store.ordered();
    connection = database.dataSource().getConnection();
    store.insertNew(connection, event);
    store.markDead(connection, event.eventId(), "refused");
    ordered.block(connection, RELAY, KEY, event.eventId());
    store.replayDead(connection, event.eventId());
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
    database.close();
  }

  @Test
  void whatIsLeftIsDeleted() throws SQLException {
    clear(() -> {});

    assertThat(rows()).isZero();
  }

  @Test
  void eventThatIsDeadBeforeTheDeleteBlocks() throws SQLException {
    clear(() -> store.markDead(connection, event.eventId(), "again"));

    assertThat(ordered.blocks(connection, RELAY)).hasSize(1);
  }

  /** As if the death were not to be seen yet, but for the row itself. */
  @Test
  void rowOfANewDeathIsNotTakenForTheLastOne() throws SQLException {
    clear(() -> ordered.block(connection, RELAY, KEY, event.eventId()));

    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void nobodyWaitsLongForAnEventThatIsLocked() throws SQLException {
    try (Connection other = database.dataSource().getConnection()) {
      other.setAutoCommit(false);
      String lock = "SELECT event_id FROM outbox_event WHERE event_id = ? FOR UPDATE";
      JdbcTemplate.query(other, lock, row -> row.getString(1), event.eventId());
      long start = System.nanoTime();

      clearIfFree();

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      other.rollback();
    }
    clear(() -> {});
    assertThat(rows()).isZero();
  }

  private void clearIfFree() {
    try {
      ordered.clearLeftovers(connection, RELAY, "", 10);
    } catch (OutboxStoreException locked) {
      assertThat(SqlErrors.isLockTimeout(locked)).isTrue();
    }
  }

  /** Has this happen after the look and before the delete. */
  private void clear(Runnable between) throws SQLException {
    try (Connection plain = database.dataSource().getConnection()) {
      Connection interrupted =
          (Connection)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                        && String.valueOf(arguments[0]).startsWith("DELETE")) {
                      between.run();
                    }
                    try {
                      return method.invoke(plain, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  });
      assertThat(ordered.clearLeftovers(interrupted, RELAY, "", 10)).isEmpty();
    }
  }

  private int rows() {
    String sql = "SELECT COUNT(*) FROM outbox_blocked";
    return JdbcTemplate.query(connection, sql, row -> row.getInt(1)).get(0);
  }
}
