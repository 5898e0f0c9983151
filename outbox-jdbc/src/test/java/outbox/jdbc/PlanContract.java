package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
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
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DeadQuery.Position;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.EventKey;
import outbox.spi.Backlog;
import outbox.spi.EventArchiver;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.OrderedScan;
import outbox.spi.OrderedStore;
import outbox.spi.PurgeRequest;
import outbox.spi.PurgeRequest.Scope;
import outbox.testing.databases.Database;

/** A million finished rows cost the claim, the poll, the dead letters and the purge nothing. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class PlanContract {

  /** Everything that a filter can ask for but ids, which find their rows by themselves. */
  private static final DeadFilter FILTER =
      DeadFilter.all()
          .withEventType("T")
          .withErrorText("E")
          .withDied(Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2999-01-01T00:00:00Z"));

  private final Instant now = Clock.systemUTC().instant().plus(Duration.ofMinutes(1));

  private Database database;
  private AbstractJdbcOutboxStore store;

  abstract Database server();

  abstract AbstractJdbcEventPurger purger();

  /** Inserts a million DONE rows of the last days and has the database count them. */
  abstract List<String> fill();

  /** Inserts a hundred thousand events that are due in a week. */
  abstract List<String> insertLater();

  /** How many entries of indexes were read since it was asked before. */
  abstract long entriesRead(Statement statement) throws SQLException;

  abstract void assertUses(String plan, String index);

  abstract void assertDoesNotSort(String plan);

  abstract void assertChangesByPrimaryKey(String plan);

  abstract void assertReadsAlongNumbers(String plan);

  /** In whatever order. */
  void assertFindsDead(String plan) {
    assertUses(plan, "dead");
  }

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

  /** The index has what is due first, so that a search ends where the future begins. */
  @Test
  void claimPassesOverNothingThatWaitsForLater() throws Exception {
    try (Database empty = server().fresh()) {
      OutboxSchema.detect(empty.dataSource()).apply(empty.dataSource());
      try (Connection connection = empty.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        for (String sql : insertLater()) {
          statement.execute(sql);
        }
        entriesRead(statement);

        assertThat(
                store.claimPending(connection, "n", now, now.minusSeconds(300), Duration.ZERO, 50))
            .isEmpty();

        assertThat(entriesRead(statement)).isLessThan(20);
      }
    }
  }

  /** Neither do those that wait, nor those that have been due for long and are locked by others. */
  @Test
  void nextDueTimesAreReadAlongThePendingIndexPassingOverNothing() throws Exception {
    Fetch later = new Fetch(now, Duration.ZERO, 100, EventFilter.ALL, null, null);

    List<String> plans =
        plans(connection -> store.dueTimes(connection, later, now.plus(Duration.ofSeconds(5))));

    assertThat(plans).isNotEmpty().allSatisfy(plan -> assertReadsInOrder(plan, "pending"));
    try (Database empty = server().fresh()) {
      OutboxSchema.detect(empty.dataSource()).apply(empty.dataSource());
      try (Connection connection = empty.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        store.insertBatch(connection, events(2000));
        for (String sql : insertLater()) {
          statement.execute(sql);
        }
        entriesRead(statement);

        assertThat(store.dueTimes(connection, later, now.plus(Duration.ofSeconds(5)))).isEmpty();
        assertThat(entriesRead(statement)).isLessThan(20);
        assertThat(store.dueTimes(connection, later, now.plus(Duration.ofDays(30)))).hasSize(100);
        assertThat(entriesRead(statement)).isLessThan(150);
      }
    }
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
  void everyPageOfDeadLettersIsFoundByTheirIndexAndNotSorted() throws Exception {
    DeadQuery first = DeadQuery.of(FILTER).withLimit(50);
    DeadQuery last = first.startingAfter(new Position(now.minusSeconds(60), "z"));

    List<String> plans =
        plans(
            connection -> {
              assertThat(store.queryDead(connection, first)).hasSize(50);
              store.queryDead(connection, first.newestFirst());
              store.queryDead(connection, last);
              store.queryDead(connection, last.newestFirst());
            });

    assertThat(plans).hasSize(4).allSatisfy(plan -> assertReadsInOrder(plan, "dead"));
  }

  @Test
  void deadLettersAreCountedByTheirIndex() throws Exception {
    List<String> plans =
        plans(connection -> assertThat(store.countDead(connection, FILTER, 1000)).isEqualTo(200));

    assertThat(plans).hasSize(1).allSatisfy(this::assertFindsDead);
  }

  /** So that a scrape of the gauges costs the same however many rows there are. */
  @Test
  void theBacklogIsCountedAlongTheIndexesAndNotSorted() throws Exception {
    List<String> plans =
        plans(
            connection -> {
              Backlog backlog = store.backlog(connection, 1000);
              assertThat(backlog.pending()).isEqualTo(1000);
              assertThat(backlog.dead()).isEqualTo(200);
            });

    List<String> reads = plans.stream().filter(plan -> plan.contains("outbox_event")).toList();
    int last = reads.size() - 1;
    assertThat(reads.subList(0, last))
        .isNotEmpty()
        .allSatisfy(plan -> assertReadsInOrder(plan, "pending"));
    assertFindsDead(reads.get(last));
  }

  /** Not a row more than the limit asks for, whatever the plan says. */
  @Test
  void theBacklogIsReadUpToTheLimitOnly() throws Exception {
    try (Database large = server().fresh()) {
      OutboxSchema.detect(large.dataSource()).apply(large.dataSource());
      try (Connection connection = large.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        for (String sql : insertLater()) {
          statement.execute(sql);
        }
        entriesRead(statement);

        assertThat(store.backlog(connection, 1000).pending()).isEqualTo(1000);

        assertThat(entriesRead(statement)).isBetween(1000L, 3000L);
      }
    }
  }

  @Test
  void replayAndDiscardLockInTheOrderOfTheIndexOfDeadLetters() throws Exception {
    DeadQuery page = DeadQuery.of(FILTER).withLimit(50);

    List<String> replay =
        plans(connection -> assertThat(store.replayDead(connection, page).changed()).isEqualTo(50));
    List<String> discard =
        plans(
            connection ->
                assertThat(store.discardDead(connection, page, new DiscardReason("test")).changed())
                    .isEqualTo(50));

    assertReadsInOrder(replay.get(0), "dead");
    assertChangesByPrimaryKey(replay.get(1));
    assertReadsInOrder(discard.get(0), "dead");
    assertChangesByPrimaryKey(discard.get(1));
  }

  @Test
  void eventsAreReadAlongTheirNumbersAndNotSorted() throws Exception {
    List<String> plans =
        plans(
            connection ->
                assertThat(store.ordered().read(connection, forward()).rows()).hasSize(50));

    assertThat(plans)
        .filteredOn(plan -> !plan.contains("optimized away")) // the highest number is looked up
        .filteredOn(plan -> !plan.contains("PROCESSLIST")) // which is in memory, and short
        .isNotEmpty()
        .allSatisfy(this::assertReadsAlongNumbers);
  }

  private static OrderedScan forward() {
    BitSet half = new BitSet();
    half.set(0, OrderedStore.BUCKETS / 2);
    return new OrderedScan(
        0,
        Long.MAX_VALUE,
        50,
        half,
        Set.of(),
        Set.of(new EventKey("T", "x")),
        EventFilter.ALL,
        0,
        Long.MAX_VALUE);
  }

  @Test
  void purgeFindsTheOldestByTheirIndexAndDoesNotSort() throws Exception {
    List<String> plans =
        plans(connection -> assertThat(purger().purge(connection, now, 500)).isEqualTo(500));

    assertThat(plans).isNotEmpty().allSatisfy(plan -> assertReadsInOrder(plan, "ended"));
  }

  @Test
  void purgeThatArchivesReadsInTheSameOrder() throws Exception {
    List<EventDetails> archived = new ArrayList<>();

    List<String> plans =
        plans(
            connection ->
                assertThat(purge(connection, Scope.DONE, archived::addAll)).isEqualTo(500));

    assertThat(archived).hasSize(500);
    assertReadsInOrder(plans.get(0), "ended");
    assertChangesByPrimaryKey(plans.get(1));
    assertChangesByPrimaryKey(plans.get(2));
  }

  @Test
  void purgeOfDeadLettersUsesTheirIndexAndDoesNotSort() throws Exception {
    List<String> plans =
        plans(
            connection ->
                assertThat(purge(connection, Scope.DEAD, EventArchiver.NONE)).isEqualTo(200));

    assertReadsInOrder(plans.get(0), "dead");
  }

  @Test
  void purgeByCreationUsesThePendingIndexAndDoesNotSort() throws Exception {
    List<String> plans =
        plans(
            connection ->
                assertThat(purge(connection, Scope.UNCLAIMED, EventArchiver.NONE)).isEqualTo(500));

    assertReadsInOrder(plans.get(0), "pending");
  }

  @Test
  void purgeThatFindsNothingLooksAtNothing() throws Exception {
    List<String> plans =
        plans(
            connection ->
                assertThat(purger().purge(connection, now.minus(Duration.ofDays(3650)), 500))
                    .isZero());

    int last = plans.size() - 1;
    assertThat(plans.subList(0, last)).isNotEmpty().allSatisfy(plan -> assertUses(plan, "ended"));
    assertUses(plans.get(last), "dead");
  }

  private int purge(Connection connection, Scope scope, EventArchiver archiver) {
    return purger().purge(connection, new PurgeRequest(scope, now, 500, archiver));
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
