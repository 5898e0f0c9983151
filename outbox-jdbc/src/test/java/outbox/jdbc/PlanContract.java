package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import outbox.EventEnvelope;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.testing.databases.Database;

/** A million finished rows cost the claim, the poll, the dead letters and the purge nothing. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class PlanContract {

  private final Instant now = Clock.systemUTC().instant().plus(Duration.ofMinutes(1));

  private Database database;
  private AbstractJdbcOutboxStore store;

  abstract Database server();

  abstract AbstractJdbcEventPurger purger();

  /** Inserts a million DONE rows of the last days and has the database count them. */
  abstract List<String> fill();

  abstract void assertUses(String plan, String index);

  abstract void assertDoesNotSort(String plan);

  private void assertReadsInOrder(String plan, String index) {
    assertUses(plan, index);
    assertDoesNotSort(plan);
  }

  @BeforeAll
  void fillTable() throws SQLException {
    database = server().fresh();
    OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
    store = JdbcOutboxStores.detect(database.dataSource());
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      store.insertBatch(connection, events(2000));
      List<EventEnvelope> dead = events(200);
      store.insertBatch(connection, dead);
      connection.setAutoCommit(false);
      dead.forEach(event -> store.markDead(connection, event.eventId(), "e"));
      connection.commit();
      connection.setAutoCommit(true);
      for (String sql : fill()) {
        statement.execute(sql);
      }
    }
  }

  @AfterAll
  void dropDatabase() {
    database.close();
  }

  @Test
  void claimUsesThePendingIndexAndDoesNotSort() throws Exception {
    List<String> plans =
        plans(
            connection ->
                assertThat(
                        store.claimPending(
                            connection, "n", now, now.minusSeconds(300), Duration.ZERO, 50))
                    .hasSize(50));

    assertThat(plans).isNotEmpty().allSatisfy(plan -> assertReadsInOrder(plan, "pending"));
  }

  @Test
  void pollUsesThePendingIndexAndDoesNotSort() throws Exception {
    List<String> plans = plans(connection -> store.pollPending(connection, now, Duration.ZERO, 50));

    assertThat(plans).isNotEmpty().allSatisfy(plan -> assertReadsInOrder(plan, "pending"));
  }

  @Test
  void deadLettersAreFoundByTheirIndexAndNotSorted() throws Exception {
    List<String> plans = plans(connection -> store.queryDead(connection, null, null, 50));

    assertThat(plans).isNotEmpty().allSatisfy(plan -> assertReadsInOrder(plan, "dead"));
  }

  @Test
  void purgeFindsTheOldestByTheirIndexAndDoesNotSort() throws Exception {
    List<String> plans =
        plans(connection -> assertThat(purger().purge(connection, now, 500)).isEqualTo(500));

    assertThat(plans).isNotEmpty().allSatisfy(plan -> assertReadsInOrder(plan, "ended"));
  }

  @Test
  void purgeThatFindsNothingLooksAtNothing() throws Exception {
    List<String> plans =
        plans(
            connection ->
                assertThat(purger().purge(connection, now.minus(Duration.ofDays(3650)), 500))
                    .isZero());

    assertThat(plans).hasSize(2).allSatisfy(plan -> assertUses(plan, "ended"));
  }

  private List<String> plans(Consumer<Connection> operation) throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      RecordingConnection recording = new RecordingConnection(connection);
      connection.setAutoCommit(false);
      operation.accept(recording.connection());
      connection.rollback();
      return recording.plans();
    }
  }

  private static List<EventEnvelope> events(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> EventEnvelope.ofJson("T", "{\"n\":" + i + "}"))
        .toList();
  }
}
