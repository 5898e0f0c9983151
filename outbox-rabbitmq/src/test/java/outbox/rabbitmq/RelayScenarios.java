package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import outbox.Outbox;
import outbox.destination.Destination;
import outbox.destination.GuardedDestination;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.EventStatus;

/** A relay with a broker that goes away under load and comes back (F26). */
abstract class RelayScenarios extends BrokerScenarios {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Whether what was confirmed is there after a restart. */
  protected abstract boolean isDurable();

  @Test
  void brokerThatIsKilledUnderLoadLosesNothingAndBuriesNothing() throws Exception {
    JdbcConnectionPool dataSource =
        JdbcConnectionPool.create(
            "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(getClass().getSimpleName()), "sa", "");
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
    Load load = opened(new Load(outbox, database));

    await().atMost(PATIENCE).until(() -> arrived().size() >= 200);
    fixture().stopBroker();
    int before = load.written().size();
    await().atMost(PATIENCE).until(() -> load.written().size() >= before + 500);
    fixture().startBroker();
    long back = System.nanoTime();

    awaitThroughput(load);
    Duration taken = Duration.ofNanos(System.nanoTime() - back);
    assertThat(taken).isLessThan(recovery());
    load.close();
    Set<String> written = load.written();
    await().atMost(PATIENCE).until(() -> count(database, EventStatus.DONE) == written.size());
    assertThat(count(database, EventStatus.DEAD)).isZero();
    assertThat(attempts(database)).isZero();
    if (isDurable()) {
      await().atMost(PATIENCE).until(() -> arrived().containsAll(written));
    }
  }

  /** What is promised; a machine that has a lot to do besides may be given more. */
  private static Duration recovery() {
    return Duration.ofSeconds(Long.getLong("outbox.test.recoverySeconds", 10));
  }

  /** Returns after a second in which about as many events arrived as were written. */
  private void awaitThroughput(Load load) {
    AtomicReference<Counts> last = new AtomicReference<>(counts(load));
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              Counts now = counts(load);
              return now.isInStepSince(last.getAndSet(now));
            });
  }

  private Counts counts(Load load) {
    return new Counts(load.written().size(), arrived().size());
  }

  private record Counts(int written, int arrived) {

    boolean isInStepSince(Counts before) {
      return arrived - before.arrived >= Math.max(1, 0.9 * (written - before.written));
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
