package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.destination.Destination;
import outbox.destination.GuardedDestination;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.EventStatus;

/** A relay with a broker that goes away under load and comes back (F26). */
abstract class RelayScenarios extends BrokerScenarios {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Set<String> written = ConcurrentHashMap.newKeySet();

  /** Whether what was confirmed is there after a restart. */
  protected abstract boolean isDurable();

  @Test
  void brokerThatIsKilledUnderLoadLosesNothingAndBuriesNothing() throws Exception {
    JdbcConnectionPool dataSource =
        JdbcConnectionPool.create("jdbc:h2:mem:relay;DB_CLOSE_DELAY=-1", "sa", "");
    opened(dataSource::dispose);
    JdbcDatabase database = JdbcDatabase.of(dataSource).createTable();
    Destination destination = open(fixture().builder("orders"));
    GuardedDestination guard = opened(new GuardedDestination(destination));
    Outbox outbox =
        opened(
            Outbox.singleNode()
                .database(database)
                .listener("OrderPlaced", guard)
                .keepEnded()
                .build());
    outbox.start();

    writeUntilArrived(outbox, database, 200);
    fixture().stopBroker();
    write(outbox, database, 500);
    Set<String> before = arrived();
    fixture().startBroker();
    long back = System.nanoTime();
    write(outbox, database, 500);

    await().atMost(PATIENCE).until(() -> !before.containsAll(arrived()));
    Duration taken = Duration.ofNanos(System.nanoTime() - back);
    assertThat(taken).isLessThan(recovery());
    await().atMost(PATIENCE).until(() -> count(database, EventStatus.DONE) == written.size());
    assertThat(count(database, EventStatus.DEAD)).isZero();
    assertThat(attempts(database)).isZero();
    if (isDurable()) {
      await().atMost(PATIENCE).until(() -> arrived().containsAll(written));
    }
  }

  /** Ten seconds are promised; a machine that has other things to do gets more. */
  private static Duration recovery() {
    return Duration.ofSeconds(Long.getLong("outbox.test.recoverySeconds", 60));
  }

  private void writeUntilArrived(Outbox outbox, JdbcDatabase database, int count)
      throws SQLException {
    write(outbox, database, count);
    await().atMost(PATIENCE).until(() -> arrived().size() >= count / 2);
  }

  private void write(Outbox outbox, JdbcDatabase database, int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      EventEnvelope event = event("OrderPlaced");
      try (var transaction = database.begin()) {
        outbox.writer().write(event);
        transaction.commit();
      }
      written.add(event.eventId());
    }
  }

  private Set<String> arrived() {
    return fixture().deliveries().stream()
        .map(delivery -> delivery.getProperties().getMessageId())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static int count(JdbcDatabase database, EventStatus status) throws Exception {
    return query(database, "SELECT COUNT(*) FROM outbox_event WHERE status = " + status.code());
  }

  private static int attempts(JdbcDatabase database) throws Exception {
    return query(database, "SELECT MAX(attempts) FROM outbox_event");
  }

  private static int query(JdbcDatabase database, String sql) throws Exception {
    try (var transaction = database.begin();
        var statement = database.connection().createStatement();
        var result = statement.executeQuery(sql)) {
      result.next();
      int value = result.getInt(1);
      transaction.commit();
      return value;
    }
  }
}
