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
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.destination.GuardedDestination;
import outbox.jdbc.database.JdbcDatabase;
import outbox.testing.brokers.KafkaBroker;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** From a database to Kafka in order, while the broker dies or hangs. */
class KafkaOutageTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration OUTAGE = Duration.ofSeconds(5); // longer than deliveries try
  private static final int KEYS = 20;
  private static final int WAVES = 30;

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
  void aBrokerThatIsKilledUnderLoadLosesNothingAndOrderIsKept() throws Exception {
    relay("killed", broker::kill, broker::start);
  }

  /** Acknowledgements of what it has taken come late or never. */
  @Test
  void aBrokerThatHangsUnderLoadLosesNothingAndOrderIsKept() throws Exception {
    relay("hanging", broker::pause, broker::resume);
  }

  private static void relay(String topic, Runnable outage, Runnable end) throws Exception {
    TestKafka.topic(broker, topic, Map.of());
    try (Database fresh = Databases.h2().fresh();
        GuardedDestination kafka = new GuardedDestination(kafka(topic));
        TopicReader reader = new TopicReader(broker, topic)) {
      JdbcDatabase database = JdbcDatabase.of(fresh.pooled()).createTable();
      try (Outbox outbox =
          Outbox.ordered().database(database).listener("OrderChanged", kafka).build()) {
        outbox.start();
        write(database, outbox, 0, WAVES / 3);
        await().atMost(PATIENCE).until(() -> count(fresh, 1) > 0);
        outage.run();
        write(database, outbox, WAVES / 3, WAVES);
        await().pollDelay(OUTAGE).atMost(PATIENCE).until(() -> true);
        end.run();

        await().atMost(PATIENCE).until(() -> count(fresh, 1) == KEYS * WAVES);
      }
      assertThat(count(fresh, 3)).as("DEAD").isZero();
      requireAllInOrder(reader.await(KEYS * WAVES));
    }
  }

  private static KafkaDestination kafka(String topic) {
    return KafkaDestination.builder(broker.address())
        .deliveryTimeout(Duration.ofSeconds(4))
        .topic(event -> topic)
        .build();
  }

  private static void write(JdbcDatabase database, Outbox outbox, int from, int to)
      throws SQLException {
    for (int wave = from; wave < to; wave++) {
      int number = wave;
      try (var transaction = database.begin()) {
        outbox
            .writer()
            .writeAll(IntStream.range(0, KEYS).mapToObj(key -> event(key, number)).toList());
        transaction.commit();
      }
    }
  }

  /** What comes again after an outage doesn't count: by its first arrival each is in its place. */
  private static void requireAllInOrder(List<ConsumerRecord<String, byte[]>> records) {
    Map<String, List<Integer>> arrived = new TreeMap<>();
    for (ConsumerRecord<String, byte[]> record : records) {
      int number = Integer.parseInt(new String(record.value(), StandardCharsets.UTF_8));
      List<Integer> numbers = arrived.computeIfAbsent(record.key(), key -> new ArrayList<>());
      if (!numbers.contains(number)) {
        numbers.add(number);
      }
    }
    assertThat(arrived).hasSize(KEYS);
    assertThat(arrived.values())
        .allSatisfy(
            numbers ->
                assertThat(numbers)
                    .containsExactlyElementsOf(IntStream.range(0, WAVES).boxed().toList()));
  }

  private static EventEnvelope event(int key, int number) {
    return EventEnvelope.builder("OrderChanged")
        .aggregateType("Order")
        .aggregateId("order-" + key)
        .payloadJson(Integer.toString(number))
        .build();
  }

  private static long count(Database database, int status) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT count(*) FROM outbox_event WHERE status = " + status)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
