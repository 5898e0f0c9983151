package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.OutboxEvent;
import outbox.testing.databases.Database;

/**
 * A node that stands still in the middle of a claim keeps its rows from others for a while only.
 */
abstract class StandstillContract {

  private static final Duration LEASE = Duration.ofSeconds(2);

  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final CountDownLatch standsStill = new CountDownLatch(1);
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private Database database;
  private JdbcDatabase outbox;

  abstract Database server();

  @BeforeEach
  void writeOneEvent() throws Exception {
    database = server().fresh();
    outbox = JdbcDatabase.of(database.dataSource()).createTable();
    try (Connection connection = database.dataSource().getConnection()) {
      outbox
          .store()
          .insertNew(connection, EventEnvelope.builder("Ticked").payloadJson("1").build());
    }
  }

  @AfterEach
  void dropDatabase() {
    goesOn.countDown();
    thread.shutdownNow();
    database.close();
  }

  @Test
  void claimThatIsNeverCommittedIsRolledBackBeforeItsLeaseWouldHaveEnded() throws Exception {
    Future<List<OutboxEvent>> frozen = thread.submit(() -> claim(standingStill(), "frozen"));
    standsStill.await();

    await().atMost(LEASE.multipliedBy(3)).until(() -> claim("other").size() == 1);

    goesOn.countDown();
    assertThatThrownBy(frozen::get).hasMessageContaining("claim events for frozen");
  }

  @Test
  void connectionIsAsItWasAfterwards() throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      JdbcTemplate.update(connection, "SET SESSION wait_timeout = 1234");

      assertThat(claim(connection, "n")).hasSize(1);

      assertThat(JdbcTemplate.query(connection, "SELECT @@wait_timeout", row -> row.getInt(1)))
          .containsExactly(1234);
    }
  }

  private List<OutboxEvent> claim(String node) throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      return claim(connection, node);
    }
  }

  private List<OutboxEvent> claim(Connection connection, String node) {
    Instant now = Instant.now().plusSeconds(60);
    return outbox.store().claimPending(connection, node, now, now.minus(LEASE), Duration.ZERO, 10);
  }

  /** A connection that waits before it commits, as if its process had been stopped. */
  private Connection standingStill() throws Exception {
    Connection connection = database.dataSource().getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("commit")) {
                standsStill.countDown();
                goesOn.await();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
