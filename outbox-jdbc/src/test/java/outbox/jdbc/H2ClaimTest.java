package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.model.OutboxEvent;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** However many rows are pending, a poll or claim reads, sorts and locks only its own. */
class H2ClaimTest {

  private final Database database = Databases.h2().fresh();
  private final H2OutboxStore store = new H2OutboxStore();
  private final Instant now = Clock.systemUTC().instant().plus(Duration.ofMinutes(1));

  @BeforeEach
  void insert() throws Exception {
    OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
    try (Connection connection = database.dataSource().getConnection()) {
      store.insertBatch(
          connection,
          IntStream.range(0, 2000).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList());
    }
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  @Test
  void pollReadsInTheOrderOfTheIndex() throws Exception {
    List<String> plans = plans(connection -> store.pollPending(connection, now, Duration.ZERO, 50));

    assertThat(plans).hasSize(2).allSatisfy(H2ClaimTest::assertReadsInOrder);
  }

  @Test
  void nextDueTimesAreReadInTheOrderOfTheIndex() throws Exception {
    Fetch later =
        new Fetch(now.minusSeconds(3600), Duration.ZERO, 100, EventFilter.ALL, null, null);

    List<String> plans =
        plans(connection -> assertThat(store.dueTimes(connection, later, now)).hasSize(100));

    assertThat(plans).hasSize(2).allSatisfy(H2ClaimTest::assertReadsInOrder);
  }

  @Test
  void claimReadsInTheOrderOfTheIndexAndLocksById() throws Exception {
    List<String> plans =
        plans(
            connection ->
                assertThat(store.claimPending(connection, "n", now, now, Duration.ZERO, 50))
                    .hasSize(50));

    assertThat(plans).hasSize(4);
    assertThat(plans.subList(0, 2)).allSatisfy(H2ClaimTest::assertReadsInOrder);
    assertThat(plans.subList(2, 4)).allSatisfy(plan -> assertThat(plan).contains("PRIMARY_KEY"));
  }

  @Test
  void claimPassesOverWhatOthersAreClaiming() throws Exception {
    try (Connection open = database.dataSource().getConnection();
        Connection other = database.dataSource().getConnection()) {
      open.setAutoCommit(false);
      List<OutboxEvent> first = store.claimPending(open, "n", now, now, Duration.ZERO, 50);
      List<OutboxEvent> second = store.claimPending(other, "m", now, now, Duration.ZERO, 50);
      open.rollback();

      assertThat(second).hasSize(50).doesNotContainAnyElementsOf(first);
    }
  }

  private static void assertReadsInOrder(String plan) {
    assertThat(plan).contains("OUTBOX_EVENT_PENDING").contains("/* index sorted */");
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
}
