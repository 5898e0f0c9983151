package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.Outbox;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.database.JdbcDatabase;
import outbox.model.EventStatus;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.RecordingListener;
import outbox.testing.databases.Connections;
import outbox.testing.databases.Database;

/** A row that somebody keeps locked holds up its own status and nobody else's. */
abstract class LockedRowContract {

  private static final String TYPE = "Ticked";
  private static final int EVENTS = 100;
  private static final Duration INTERVAL = Duration.ofMillis(100);
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Less than a statement of the engine's may take at all. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private final CountDownLatch gate = new CountDownLatch(1);
  private final List<Outbox> nodes = new ArrayList<>();
  private Database database;
  private JdbcDatabase outbox;
  private Connection operator;

  abstract Database server();

  /** A query for how long statements of a connection wait for locks. */
  abstract String lockTimeout();

  @BeforeEach
  void connect() throws SQLException {
    database = server().fresh();
    outbox = JdbcDatabase.of(database.dataSource()).createTable();
    operator = database.dataSource().getConnection();
    operator.setAutoCommit(false);
  }

  @AfterEach
  void disconnect() throws SQLException {
    gate.countDown();
    operator.rollback();
    nodes.forEach(Outbox::close);
    operator.close();
    database.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Connections.class,
      names = {"POOLED", "POOLED_AUTO_COMMIT_OFF"})
  void othersOfItsGroupAreDone(Connections connections) throws Exception {
    RecordingListener listener = new RecordingListener(event -> pass());
    start(multiNode(connections, listener));
    List<EventEnvelope> events = deliverWhileTheFirstIsLocked(listener);

    await().atMost(SOON).until(() -> count(events, EventStatus.DONE) == EVENTS - 1);

    assertThat(status(events.get(0))).isEqualTo(EventStatus.NEW);
    operator.rollback();
    await().atMost(PATIENCE).until(() -> count(events, EventStatus.DONE) == EVENTS);
    assertThat(listener.eventIds()).doesNotHaveDuplicates().hasSize(EVENTS);
    assertThat(attempts(events.get(0))).isZero();
  }

  @Test
  void failuresOfItsGroupAreWritten() throws Exception {
    RecordingListener listener =
        new RecordingListener(
            event -> {
              pass();
              throw new IllegalStateException("refused");
            });
    start(multiNode(Connections.POOLED, listener));
    List<EventEnvelope> events = deliverWhileTheFirstIsLocked(listener);

    await().atMost(SOON).until(() -> count(events, EventStatus.RETRY) == EVENTS - 1);

    operator.rollback();
    await().atMost(PATIENCE).until(() -> count(events, EventStatus.RETRY) == EVENTS);
    assertThat(events).allMatch(event -> attempts(event) == 1);
  }

  /** Whose status is a statement that commits by itself. */
  @Test
  void eventThatComesAfterItIsDone() throws Exception {
    RecordingListener listener = new RecordingListener(event -> pass());
    start(multiNode(Connections.POOLED, listener));
    EventEnvelope first = insert(event("a"));
    await().atMost(PATIENCE).until(() -> listener.count() == 1);
    lock(first);
    gate.countDown();

    EventEnvelope next = insert(event("a"));

    await().atMost(SOON).until(() -> status(next) == EventStatus.DONE);
    assertThat(status(first)).isEqualTo(EventStatus.NEW);
    operator.rollback();
    await().atMost(PATIENCE).until(() -> status(first) == EventStatus.DONE);
    assertThat(listener.count()).isEqualTo(2);
  }

  @Test
  void otherAggregatesGoOnInOrder() throws Exception {
    RecordingListener listener = new RecordingListener(event -> pass());
    start(
        Outbox.ordered()
            .database(outbox)
            .lease(LEASE)
            .interval(INTERVAL)
            .listener(TYPE, listener)
            .build());
    EventEnvelope locked = insert(event("a"));
    await().atMost(PATIENCE).until(() -> listener.count() == 1);
    lock(locked);
    gate.countDown();

    List<EventEnvelope> others =
        insert(IntStream.range(0, 50).mapToObj(i -> event("b" + i % 10)).toList());

    await().atMost(SOON).until(() -> count(others, EventStatus.DONE) == 50);
    operator.rollback();
    await().atMost(PATIENCE).until(() -> status(locked) == EventStatus.DONE);
    assertThat(listener.eventIds()).doesNotHaveDuplicates();
  }

  @Test
  void isToldFromWhatIsFreeAndFromWhatHasEnded() throws Exception {
    List<EventEnvelope> events = IntStream.range(0, 4).mapToObj(i -> event("a")).toList();
    insert(events);
    List<Settlement> asked =
        events.stream()
            .map(event -> new Settlement(event.eventId(), null, new Outcome.Delivered(false)))
            .toList();
    settle(asked.get(1));
    settle(new Settlement(events.get(2).eventId(), null, new Outcome.Delivered(true)));
    lock(events.get(0));

    List<Settlement> locked =
        Transactions.onConnection(
            outbox.connections(), connection -> outbox.store().locked(connection, asked));

    assertThat(locked).containsExactly(asked.get(0));
  }

  @Test
  void connectionIsAsItWasAfterwards() throws Exception {
    Claim claim = Claim.starting("node", outbox.store().clock(), LEASE);
    List<EventEnvelope> events = IntStream.range(0, 4).mapToObj(i -> event("a")).toList();
    try (Connection connection = database.dataSource().getConnection()) {
      outbox.store().insertClaimed(connection, events, claim);
      String before = lockTimeout(connection);

      for (EventEnvelope event : events.subList(0, 2)) {
        assertThat(settle(connection, event, claim)).isEqualTo(1);
        assertThat(lockTimeout(connection)).isEqualTo(before);
      }
      int inTransaction =
          Transactions.inTransaction(connection, tx -> settle(tx, events.get(2), claim));
      assertThat(inTransaction).isEqualTo(1);
      assertThat(lockTimeout(connection)).isEqualTo(before);
    }
  }

  @Test
  void transactionOfTheApplicationWaitsAsItDid() throws Exception {
    EventEnvelope event = event("a");
    insert(event);
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      String before = lockTimeout(connection);

      assertThat(settle(connection, event, null)).isEqualTo(1);

      assertThat(lockTimeout(connection)).isEqualTo(before);
      connection.rollback();
    }
  }

  /** Returns when each of them is in somebody's hands, and their statuses are about to come. */
  private List<EventEnvelope> deliverWhileTheFirstIsLocked(RecordingListener listener)
      throws SQLException {
    List<EventEnvelope> events =
        insert(IntStream.range(0, EVENTS).mapToObj(i -> event("a")).toList());
    await().atMost(PATIENCE).until(() -> listener.count() > 0);
    lock(events.get(0));
    gate.countDown();
    return events;
  }

  private Outbox multiNode(Connections connections, EventListener listener) {
    return Outbox.multiNode()
        .database(JdbcDatabase.of(database.dataSource(connections)))
        .lease(LEASE)
        .interval(INTERVAL)
        .dispatcher(settings -> settings.retryPolicy(tries -> LEASE.toMillis()).workerCount(2))
        .listener(TYPE, listener)
        .build();
  }

  private void start(Outbox node) {
    nodes.add(node);
    node.start();
  }

  private void pass() throws InterruptedException {
    assertThat(gate.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
  }

  private void lock(EventEnvelope event) {
    String sql = "SELECT event_id FROM outbox_event WHERE event_id = ? FOR UPDATE";
    assertThat(JdbcTemplate.query(operator, sql, row -> row.getString(1), event.eventId()))
        .hasSize(1);
  }

  private EventEnvelope insert(EventEnvelope event) throws SQLException {
    return insert(List.of(event)).get(0);
  }

  private List<EventEnvelope> insert(List<EventEnvelope> events) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      outbox.store().insertBatch(connection, events);
    }
    return events;
  }

  private void settle(Settlement settlement) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      assertThat(outbox.store().settle(connection, List.of(settlement))).isEqualTo(1);
    }
  }

  private int settle(Connection connection, EventEnvelope event, Claim claim) {
    Settlement delivered = new Settlement(event.eventId(), claim, new Outcome.Delivered(false));
    return outbox.store().settle(connection, List.of(delivered));
  }

  private String lockTimeout(Connection connection) {
    return JdbcTemplate.query(connection, lockTimeout(), row -> row.getString(1)).get(0);
  }

  private long count(List<EventEnvelope> events, EventStatus status) throws SQLException {
    String sql = "SELECT event_id FROM outbox_event WHERE status = ?";
    try (Connection connection = database.dataSource().getConnection()) {
      Set<String> found =
          Set.copyOf(JdbcTemplate.query(connection, sql, row -> row.getString(1), status.code()));
      return events.stream().filter(event -> found.contains(event.eventId())).count();
    }
  }

  private EventStatus status(EventEnvelope event) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return outbox.store().find(connection, event.eventId()).orElseThrow().status();
    }
  }

  private int attempts(EventEnvelope event) {
    try (Connection connection = database.dataSource().getConnection()) {
      return outbox.store().find(connection, event.eventId()).orElseThrow().event().attempts();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EventEnvelope event(String aggregateId) {
    return EventEnvelope.builder(TYPE).aggregateId(aggregateId).payloadJson("{}").build();
  }
}
