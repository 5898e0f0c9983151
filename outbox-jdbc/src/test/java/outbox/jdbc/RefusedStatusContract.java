package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.BlockedKey;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.testing.RecordingListener;
import outbox.testing.databases.Database;

/** A row that the database lets be anything but DONE. */
abstract class RefusedStatusContract {

  private static final String TYPE = "Placed";
  private static final int MOST_TRIES = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final RecordingListener listener = new RecordingListener();
  private final List<Outbox> nodes = new ArrayList<>();
  private final EventEnvelope refused = event("refused");
  private Database database;
  private JdbcDatabase jdbc;

  abstract Database server();

  @BeforeEach
  void refuseOne() throws SQLException {
    database = server().fresh();
    jdbc = JdbcDatabase.of(database.dataSource()).createTable();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "ALTER TABLE outbox_event ADD CONSTRAINT never_done"
              + " CHECK (status <> 1 OR tenant_id <> 'refused')");
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(Outbox::close);
    database.close();
  }

  @Test
  void eventOfSeveralNodesIsDeadInTheEnd() throws SQLException {
    List<EventEnvelope> others = insertAll();
    for (String name : List.of("node-1", "node-2")) {
      start(
          Outbox.multiNode()
              .database(jdbc)
              .nodeId(name)
              .lease(Duration.ofSeconds(1))
              .interval(Duration.ofMillis(100))
              .dispatcher(settings -> settings.maxAttempts(MOST_TRIES))
              .listener(TYPE, listener)
              .build());
    }

    assertDeadAfterAllItsTries(others);
  }

  @Test
  void eventInOrderIsDeadInTheEndAndBlocksItsAggregate() throws SQLException {
    List<EventEnvelope> others = insertAll();
    Outbox node =
        Outbox.ordered()
            .database(jdbc)
            .interval(Duration.ofMillis(100))
            .dispatcher(settings -> settings.maxAttempts(MOST_TRIES))
            .listener(TYPE, listener)
            .build();
    start(node);

    assertDeadAfterAllItsTries(others);

    assertThat(node.blockedKeys().list(10))
        .extracting(BlockedKey::key)
        .extracting("aggregateId")
        .containsExactly("refused");
  }

  private void assertDeadAfterAllItsTries(List<EventEnvelope> others) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(row(refused).status()).isEqualTo(EventStatus.DEAD));
    await()
        .atMost(PATIENCE)
        .until(() -> others.stream().allMatch(e -> row(e).status() == EventStatus.DONE));
    assertThat(row(refused).event().attempts()).isEqualTo(MOST_TRIES);
    assertThat(row(refused).lastError()).contains("the database refused the status");
    assertThat(listener.eventIds().stream().filter(refused.eventId()::equals).count())
        .isLessThanOrEqualTo(MOST_TRIES + 1); // the first try counts for nothing
  }

  private List<EventEnvelope> insertAll() throws SQLException {
    List<EventEnvelope> others =
        Stream.of("a", "b", "c").map(RefusedStatusContract::event).toList();
    try (Connection connection = database.dataSource().getConnection()) {
      jdbc.store().insertNew(connection, refused);
      jdbc.store().insertBatch(connection, others);
    }
    return others;
  }

  private void start(Outbox node) {
    nodes.add(node);
    node.start();
  }

  private static EventEnvelope event(String name) {
    return EventEnvelope.builder(TYPE)
        .aggregateType("Order")
        .aggregateId(name)
        .tenantId(name)
        .payloadJson("{}")
        .build();
  }

  private EventDetails row(EventEnvelope event) {
    try (Connection connection = database.dataSource().getConnection()) {
      return jdbc.store().find(connection, event.eventId()).orElseThrow();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
