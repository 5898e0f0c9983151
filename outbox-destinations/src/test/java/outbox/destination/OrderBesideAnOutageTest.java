package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** Where order is kept, many aggregates wait for a destination that is away, others don't. */
class OrderBesideAnOutageTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String NONE = "0, null";
  private static final int AGGREGATES = 500;
  private static final int EVENTS_OF_EACH = 3;

  private final ScriptedDestination broker = new ScriptedDestination("kafka");
  private final ScriptedDestination receiver = new ScriptedDestination("partner");
  private final GuardedDestination kafka = new GuardedDestination(broker);
  private final Map<String, List<String>> taken = new ConcurrentHashMap<>();
  private Database fresh;
  private JdbcDatabase database;

  @BeforeEach
  void createTable() {
    fresh = Databases.h2().fresh();
    database = JdbcDatabase.of(fresh.pooled()).createTable();
    broker.script = this::take;
    receiver.script = this::take;
  }

  @AfterEach
  void dropDatabase() {
    fresh.close();
  }

  private CompletionStage<?> take(List<EventEnvelope> events, BatchResult result) {
    for (EventEnvelope event : events) {
      taken
          .computeIfAbsent(event.aggregateId(), id -> new CopyOnWriteArrayList<>())
          .add(event.payloadJson());
    }
    return CompletableFuture.completedFuture(null);
  }

  @Test
  void eventsForADestinationThatIsAwayStayUntouchedAndComeInOrderWhenItIsBack() throws Exception {
    kafka.pause();
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("ToKafka"), kafka)
            .route(EventMatch.ofType("ToPartner"), new GuardedDestination(receiver))
            .build();

    try (Outbox outbox =
        Outbox.ordered().database(database).listenerRegistry(routes).keepEnded().build()) {
      write(outbox);
      String written = pending("ToKafka");
      outbox.start();

      await().atMost(PATIENCE).until(() -> pending("ToPartner").equals(NONE));
      assertThat(pending("ToKafka")).isEqualTo(written);

      kafka.resume();
      await().atMost(PATIENCE).until(() -> pending("ToKafka").equals(NONE));
    }
    assertThat(taken).hasSize(2 * AGGREGATES);
    assertThat(taken.values()).allMatch(events -> events.equals(List.of("0", "1", "2")));
  }

  private void write(Outbox outbox) throws SQLException {
    try (var tx = database.begin()) {
      for (int number = 0; number < EVENTS_OF_EACH; number++) {
        for (int aggregate = 0; aggregate < AGGREGATES; aggregate++) {
          for (String type : List.of("ToKafka", "ToPartner")) {
            outbox
                .writer()
                .write(
                    EventEnvelope.builder(type)
                        .aggregateType("Order")
                        .aggregateId(type + aggregate)
                        .payloadJson(Integer.toString(number))
                        .build());
          }
        }
      }
      tx.commit();
    }
  }

  /** How many there are, and when the last of them is due. */
  private String pending(String type) throws SQLException {
    String sql =
        "SELECT COUNT(*), MAX(available_at) FROM outbox_event WHERE status IN (0, 2) AND event_type = '%s'"
            .formatted(type);
    try (Connection connection = fresh.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1) + ", " + result.getString(2);
    }
  }
}
