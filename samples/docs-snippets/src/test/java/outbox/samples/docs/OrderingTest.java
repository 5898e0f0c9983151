package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.NonRetryableException;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.BlockedKey;

/** What the page on order quotes does what it says. */
class OrderingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final JdbcConnectionPool dataSource =
      JdbcConnectionPool.create("jdbc:h2:mem:ordering", "sa", "");
  private final JdbcDatabase database = JdbcDatabase.of(dataSource).createTable();
  private final List<String> delivered = new CopyOnWriteArrayList<>();
  private final AtomicBoolean refusesTwo = new AtomicBoolean();
  private final Outbox outbox = Ordering.node(database, this::onBalanceChanged);

  @BeforeEach
  void start() {
    outbox.start();
  }

  @AfterEach
  void stop() {
    outbox.close();
    dataSource.dispose();
  }

  @Test
  void eventsOfAnAccountArriveInOrder() throws SQLException {
    for (int i = 1; i <= 20; i++) {
      write("alice", i);
    }

    await().atMost(PATIENCE).until(() -> delivered.size() == 20);
    assertThat(delivered).startsWith("alice 1", "alice 2").endsWith("alice 20");
  }

  @Test
  void operatorSeesWhatWaitsAndHasItTriedAgain() throws SQLException {
    BlockedKey blocked = blockAliceAtTwo();
    List<String> shown = new CopyOnWriteArrayList<>();

    Ordering.show(outbox, shown::add);
    refusesTwo.set(false);

    assertThat(shown)
        .singleElement()
        .asString()
        .startsWith("Account/alice: 1 events wait since")
        .contains("for a decision", "refused");
    assertThat(Ordering.retry(outbox, blocked)).isTrue();
    await().atMost(PATIENCE).until(() -> delivered.contains("alice 3"));
    assertThat(delivered).containsSubsequence("alice 1", "alice 2", "alice 3");
  }

  @Test
  void discardedEventLetsTheOthersGoOnAndIsDecidedOnce() throws SQLException {
    BlockedKey blocked = blockAliceAtTwo();

    assertThat(Ordering.giveUp(database, blocked)).isTrue();
    assertThat(Ordering.giveUp(database, blocked)).isFalse();

    await().atMost(PATIENCE).until(() -> delivered.contains("alice 3"));
    assertThat(delivered).doesNotContain("alice 2");
  }

  @Test
  void consumerRefusesWhatComesAgainAndWhatComesFromAReplacedNode() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE account_view"
              + " (account_id VARCHAR(9) PRIMARY KEY, balance INT, epoch INT, sequence INT)");
      statement.execute("INSERT INTO account_view VALUES ('alice', 0, 0, 0)");

      assertThat(Ordering.apply(connection, event(10, 1, 100))).isTrue();
      assertThat(Ordering.apply(connection, event(10, 2, 100))).as("again").isFalse();
      assertThat(Ordering.apply(connection, event(12, 2, 120))).isTrue();
      assertThat(Ordering.apply(connection, event(13, 1, 130))).as("replaced").isFalse();
    }
  }

  private BlockedKey blockAliceAtTwo() throws SQLException {
    refusesTwo.set(true);
    for (int i = 1; i <= 3; i++) {
      write("alice", i);
    }
    await()
        .atMost(PATIENCE)
        .until(() -> outbox.blockedKeys().list(1).stream().anyMatch(key -> key.depth() == 1));
    return outbox.blockedKeys().list(1).get(0);
  }

  private void write(String accountId, int balance) throws SQLException {
    Ordering.write(database, outbox.writer(), accountId, Integer.toString(balance));
  }

  private void onBalanceChanged(EventEnvelope event) {
    if (refusesTwo.get() && event.payloadJson().equals("2")) {
      throw new NonRetryableException("refused");
    }
    delivered.add(event.aggregateId() + " " + event.payloadJson());
  }

  private static EventEnvelope event(int sequence, int epoch, int balance) {
    return EventEnvelope.builder("BalanceChanged")
        .aggregateId("alice")
        .header(EventHeaders.SEQUENCE, Integer.toString(sequence))
        .header(EventHeaders.EPOCH, Integer.toString(epoch))
        .payloadJson(Integer.toString(balance))
        .build();
  }
}
