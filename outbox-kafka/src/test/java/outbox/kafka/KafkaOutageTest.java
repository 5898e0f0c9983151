package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import outbox.Outbox;
import outbox.destination.GuardedDestination;
import outbox.jdbc.database.JdbcDatabase;
import outbox.testing.brokers.KafkaBroker;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** From a database to Kafka in order and under load, while the broker dies or hangs. */
class KafkaOutageTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration OUTAGE = Duration.ofSeconds(5); // longer than deliveries try

  private static KafkaBroker broker;

  @BeforeAll
  static void startBroker() {
    broker = KafkaBroker.builder().start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @Test
  void aBrokerThatIsKilledUnderLoadLosesNothingNorAnAttemptAndOrderIsKept() throws Exception {
    relay("killed", broker::kill, broker::start);
  }

  /** Acknowledgements of what it has taken come late or never. */
  @Test
  void aBrokerThatHangsUnderLoadLosesNothingNorAnAttemptAndOrderIsKept() throws Exception {
    relay("hanging", broker::pause, broker::resume);
  }

  private static void relay(String topic, Runnable outage, Runnable end) throws Exception {
    TestKafka.topic(broker, topic, Map.of());
    try (Database fresh = Databases.h2().fresh();
        GuardedDestination kafka = new GuardedDestination(kafka(topic));
        TopicReader reader = new TopicReader(broker, topic)) {
      JdbcDatabase database = JdbcDatabase.of(fresh.pooled()).createTable();
      int waves;
      try (Outbox outbox =
              Outbox.ordered().database(database).listener(Load.TYPE, kafka).keepEnded().build();
          Load load = new Load(outbox, database)) {
        outbox.start();
        await().atMost(PATIENCE).until(() -> done(fresh) > 10 * Load.KEYS);
        outage.run();
        await().pollDelay(OUTAGE).atMost(PATIENCE).until(() -> true);
        end.run();
        long served = System.nanoTime();

        awaitThroughput(load, fresh);
        assertThat(Duration.ofNanos(System.nanoTime() - served)).isLessThan(recovery());
        load.stop();
        waves = load.waves();
        await().atMost(PATIENCE).until(() -> done(fresh) == load.written());
      }
      assertThat(query(fresh, "SELECT count(*) FROM outbox_event WHERE status = 3"))
          .as("DEAD")
          .isZero();
      assertThat(query(fresh, "SELECT MAX(attempts) FROM outbox_event")).as("attempts").isZero();
      requireAllInOrder(reader.await(Load.KEYS * waves), waves);
    }
  }

  /** The probe alone may take five seconds, and the broker shares the cores with this process. */
  private static Duration recovery() {
    return Duration.ofSeconds(Long.getLong("outbox.test.recoverySeconds", 20));
  }

  /** Returns after a second in which about as many events were delivered as written. */
  private static void awaitThroughput(Load load, Database database) throws SQLException {
    AtomicReference<Counts> last = new AtomicReference<>(counts(load, database));
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              Counts now = counts(load, database);
              return now.isInStepSince(last.getAndSet(now));
            });
  }

  private static Counts counts(Load load, Database database) throws SQLException {
    return new Counts(load.written(), done(database));
  }

  private record Counts(long written, long delivered) {

    boolean isInStepSince(Counts before) {
      return delivered - before.delivered >= Math.max(1, 0.9 * (written - before.written));
    }
  }

  private static KafkaDestination kafka(String topic) {
    return KafkaDestination.builder(broker.address())
        .deliveryTimeout(Duration.ofSeconds(4))
        .topic(event -> topic)
        .build();
  }

  /** What comes again after an outage doesn't count: by its first arrival each is in its place. */
  private static void requireAllInOrder(List<ConsumerRecord<String, byte[]>> records, int waves) {
    Map<String, List<Integer>> arrived = new TreeMap<>();
    for (ConsumerRecord<String, byte[]> record : records) {
      int number = Integer.parseInt(new String(record.value(), StandardCharsets.UTF_8));
      List<Integer> numbers = arrived.computeIfAbsent(record.key(), key -> new ArrayList<>());
      if (!numbers.contains(number)) {
        numbers.add(number);
      }
    }
    assertThat(arrived).hasSize(Load.KEYS);
    assertThat(arrived.values())
        .allSatisfy(
            numbers ->
                assertThat(numbers)
                    .containsExactlyElementsOf(IntStream.range(0, waves).boxed().toList()));
  }

  private static long done(Database database) throws SQLException {
    return query(database, "SELECT count(*) FROM outbox_event WHERE status = 1");
  }

  private static long query(Database database, String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
