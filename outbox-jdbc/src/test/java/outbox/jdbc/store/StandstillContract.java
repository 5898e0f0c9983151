package outbox.jdbc.store;

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
import outbox.internal.Transactions;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.LeaseTable;
import outbox.spi.NodeSession;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.databases.Database;

/**
 * A node that stands still in the middle of a transaction keeps its rows from others for a while
 * only, and be it just before the commit.
 */
abstract class StandstillContract {

  static final Duration LEASE = Duration.ofSeconds(2);

  /** Far less than a server leaves a transaction alone by default. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  final CountDownLatch goesOn = new CountDownLatch(1);
  final CountDownLatch standsStill = new CountDownLatch(1);
  final ExecutorService thread = Executors.newSingleThreadExecutor();
  Database database;
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
  void claimWithoutAutoCommitIsRolledBackAsWell() throws Exception {
    Future<List<OutboxEvent>> frozen =
        thread.submit(
            () ->
                Transactions.committed(
                    withoutAutoCommit(standingStill()), connection -> claim(connection, "frozen")));
    standsStill.await();

    await().atMost(PATIENCE).until(() -> claim("other").size() == 1);

    goesOn.countDown();
    assertThatThrownBy(frozen::get).isNotNull();
  }

  @Test
  void statusesThatAreNeverCommittedAreRolledBackBeforeTheirLeaseHasEnded() throws Exception {
    Claim claim = Claim.starting("frozen", outbox.store().clock(), LEASE);
    Settlement delivered =
        new Settlement(claimUnder(claim).eventId(), claim, new Outcome.Delivered(false));
    Future<Integer> frozen =
        thread.submit(
            () ->
                Transactions.inTransaction(
                    standingStill(), tx -> outbox.store().settle(tx, List.of(delivered))));
    standsStill.await();

    await().atMost(PATIENCE).until(() -> claim("other").size() == 1);

    goesOn.countDown();
    assertThatThrownBy(frozen::get).isNotNull();
  }

  @Test
  void sessionThatNeverCommitsWhatItWritesIsEnded() throws Exception {
    LeaseTable leases = outbox.store().ordered().leases();
    NodeSession late = new NodeSession("relay", "session", "node", 1, LEASE);
    try (Connection connection = database.dataSource().getConnection()) {
      leases.join(connection, late);
    }
    Future<Boolean> frozen =
        thread.submit(
            () -> Transactions.inTransaction(standingStill(), tx -> leases.holds(tx, late)));
    standsStill.await();

    await().atMost(PATIENCE).until(() -> sessions(leases).isEmpty());

    goesOn.countDown();
    assertThatThrownBy(frozen::get).isNotNull();
  }

  private OutboxEvent claimUnder(Claim claim) throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      List<OutboxEvent> claimed =
          outbox
              .store()
              .claimPending(
                  connection,
                  claim.ownerId(),
                  claim.lockedAt(),
                  claim.lockExpiry(),
                  Duration.ZERO,
                  1);
      return claimed.get(0);
    }
  }

  private List<String> sessions(LeaseTable leases) throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      return leases.view(connection, "relay").sessionIds();
    }
  }

  private static Connection withoutAutoCommit(Connection connection) throws Exception {
    connection.setAutoCommit(false);
    return connection;
  }

  final List<OutboxEvent> claim(String node) throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      return claim(connection, node);
    }
  }

  final List<OutboxEvent> claim(Connection connection, String node) {
    Instant now = Instant.now().plusSeconds(60);
    return outbox.store().claimPending(connection, node, now, now.minus(LEASE), Duration.ZERO, 10);
  }

  /** A connection that waits before it commits, as if its process had been stopped. */
  final Connection standingStill() throws Exception {
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
