package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.RelayBuilder;
import outbox.jdbc.database.JdbcDatabase;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** Events of an aggregate of which some have several destinations, and others one. */
class OrderAcrossCopiesTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String COPIES =
      "SELECT COUNT(*) FROM outbox_event WHERE event_type LIKE 'outbox-to:%'";

  private final ScriptedDestination broker = new ScriptedDestination("kafka");
  private final GuardedDestination kafka = new GuardedDestination(broker);
  private final GuardedDestination partner =
      new GuardedDestination(new ScriptedDestination("partner"));
  private final List<String> taken = new CopyOnWriteArrayList<>();
  private volatile String refused = "";
  private Database fresh;
  private JdbcDatabase database;

  @BeforeEach
  void createTable() {
    fresh = Databases.h2().fresh();
    database = JdbcDatabase.of(fresh.pooled()).createTable();
    broker.script =
        (events, result) -> {
          for (EventEnvelope event : events) {
            if (event.eventType().equals(refused)) {
              result.failed(event, new IllegalStateException("not yet"));
            } else {
              taken.add(event.eventType());
            }
          }
          return CompletableFuture.completedFuture(null);
        };
  }

  @AfterEach
  void dropDatabase() {
    fresh.close();
  }

  @Test
  void inOrderAnEventWithOneDestinationDoesNotOvertakeACopyThatWaits() throws Exception {
    refused = "OrderPlaced";

    try (Outbox outbox = start(patient(), orders())) {
      write(outbox, "OrderPlaced", "OrderPaid");
      await().atMost(PATIENCE).until(() -> isDone("OrderPaid"));

      assertThat(taken).isEmpty();

      refused = "";
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(taken).hasSize(2));
    }
    assertThat(taken).containsExactly("OrderPlaced", "OrderPaid");
  }

  @Test
  void inOrderACopyDoesNotOvertakeAnEventWithOneDestinationThatWaits() throws Exception {
    refused = "OrderPaid";

    try (Outbox outbox = start(patient(), orders())) {
      write(outbox, "OrderPaid", "OrderPlaced");
      await().atMost(PATIENCE).until(() -> isDone("OrderPlaced"));

      assertThat(taken).isEmpty();

      refused = "";
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(taken).hasSize(2));
    }
    assertThat(taken).containsExactly("OrderPaid", "OrderPlaced");
  }

  @Test
  void inOrderWhatSharesNoDestinationWithACopyIsNotCopied() throws Exception {
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("OrderPaid"), kafka)
            .route(EventMatch.ofType("UserAdded").aggregateType("User"), kafka, partner)
            .build();

    try (Outbox outbox = start(patient(), routes)) {
      write(outbox, "OrderPaid");
      await().atMost(PATIENCE).until(() -> isDone("OrderPaid"));
    }

    assertThat(taken).containsExactly("OrderPaid");
    assertThat(number(COPIES)).isZero();
  }

  @Test
  void inOrderEverythingIsCopiedIfThatWasAskedFor() throws Exception {
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("OrderPaid"), kafka)
            .copyAllInOrder()
            .build();

    try (Outbox outbox = start(patient(), routes)) {
      write(outbox, "OrderPaid");
      await().atMost(PATIENCE).until(() -> !taken.isEmpty());
    }

    assertThat(number(COPIES)).isEqualTo(1);
  }

  @Test
  void withoutOrderAnEventWithOneDestinationIsNotCopied() throws Exception {
    try (Outbox outbox = start(Outbox.multiNode(), orders())) {
      write(outbox, "OrderPaid");
      await().atMost(PATIENCE).until(() -> isDone("OrderPaid"));
    }

    assertThat(taken).containsExactly("OrderPaid");
    assertThat(number(COPIES)).isZero();
  }

  private static RelayBuilder<?> patient() {
    return Outbox.ordered().dispatcher(dispatcher -> dispatcher.maxAttempts(1000));
  }

  private DestinationRoutes orders() {
    return DestinationRoutes.builder()
        .route(EventMatch.ofType("OrderPlaced", "OrderPaid"), kafka)
        .route(EventMatch.ofType("OrderPlaced").tenant("acme"), partner)
        .build();
  }

  private Outbox start(RelayBuilder<?> builder, DestinationRoutes routes) {
    Outbox outbox = builder.database(database).listenerRegistry(routes).build();
    routes.fanOutBy(outbox.writer(), database::begin);
    outbox.start();
    return outbox;
  }

  private void write(Outbox outbox, String... types) throws SQLException {
    try (var tx = database.begin()) {
      for (String type : types) {
        outbox
            .writer()
            .write(
                EventEnvelope.builder(type)
                    .aggregateType("Order")
                    .aggregateId("order-1")
                    .payloadJson("{}")
                    .build());
      }
      tx.commit();
    }
  }

  private boolean isDone(String type) throws SQLException {
    return number(
            "SELECT COUNT(*) FROM outbox_event WHERE done_at IS NOT NULL AND event_type = '%s'"
                .formatted(type))
        == 1;
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = fresh.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
