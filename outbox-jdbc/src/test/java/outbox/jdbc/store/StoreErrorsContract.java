package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableName;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.OutboxEvent;
import outbox.testing.databases.Database;

/** What a failing database looks like to those who read the log. */
abstract class StoreErrorsContract {

  private static final String SECRET = "{\"card\":\"4711-s3cret\"}";
  private final Instant later = Clock.systemUTC().instant().plus(Duration.ofMinutes(1));

  Database database;
  AbstractJdbcOutboxStore store;
  Connection connection;

  abstract Database server();

  abstract AbstractJdbcEventPurger purger();

  @BeforeEach
  void connect() throws SQLException {
    database = server().fresh();
    store = JdbcOutboxStores.detect(database.dataSource());
    connection = database.dataSource().getConnection();
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
    database.close();
  }

  @Test
  void missingTableIsNamedWithTheDdlThatMakesIt() {
    List<ThrowingCallable> operations =
        List.of(
            () -> store.insertNew(connection, event("e-1")),
            () -> store.insertBatch(connection, List.of(event("e-1"), event("e-2"))),
            () -> store.insertIfAbsent(connection, event("e-1"), null),
            () -> store.markDone(connection, "e-1"),
            () -> store.pollPending(connection, later, Duration.ZERO, 10),
            () -> store.claimPending(connection, "n", later, later, Duration.ZERO, 10),
            () -> store.releaseClaims(connection, "n", List.of("e-1")),
            () -> store.find(connection, "e-1"),
            () -> store.queryDead(connection, null, null, 10),
            () -> store.countDead(connection, null),
            () -> store.replayDead(connection, "e-1"),
            () -> purger().purge(connection, later, 10));

    assertThat(operations)
        .allSatisfy(
            operation ->
                assertThat(failure(operation))
                    .hasMessageStartingWith("could not ")
                    .hasMessageContaining(" in table outbox_event: the table does not exist")
                    .hasMessageContaining("OutboxSchema")
                    .hasMessageContaining("schema/" + store.name() + ".sql"));
  }

  @Test
  void missingSchemaIsAMissingTable() {
    AbstractJdbcOutboxStore elsewhere =
        store.withTable(TableName.of("no_such_schema", "outbox_event"));

    assertThat(failure(() -> elsewhere.insertNew(connection, event("e-1"))))
        .hasMessageContaining("in table no_such_schema.outbox_event: the table does not exist");
    assertThat(failure(() -> elsewhere.countDead(connection, null)))
        .hasMessageContaining("in table no_such_schema.outbox_event: the table does not exist");
  }

  @Test
  void missingColumnIsRecognised() throws SQLException {
    createTable();
    execute("ALTER TABLE outbox_event DROP COLUMN tenant_id");
    EventEnvelope ofATenant =
        EventEnvelope.builder("T").tenantId("acme").payloadJson(SECRET).build();

    assertThat(failure(() -> store.insertNew(connection, ofATenant)))
        .hasMessageContaining("the table lacks a column");
  }

  @Test
  void takenIdIsNamed() throws SQLException {
    createTable();
    store.insertNew(connection, event("e-1"));

    OutboxStoreException single = failure(() -> store.insertNew(connection, event("e-1")));
    OutboxStoreException batch =
        failure(() -> store.insertBatch(connection, List.of(event("e-0"), event("e-1"))));

    assertThat(single)
        .isInstanceOf(OutboxException.class)
        .hasMessage(
            "could not insert event e-1 in table outbox_event:"
                + " an event with this id is already there; event ids must be unique");
    assertThat(((SQLException) single.getCause()).getSQLState()).startsWith("23");
    assertThat(batch)
        .hasMessageContaining("e-0")
        .hasMessageContaining("e-1")
        .hasMessageContaining("already there");
    assertNoPayload(single);
    assertNoPayload(batch);
  }

  @Test
  void duplicateOfAnythingButTheIdIsNoEventThatIsThere() throws SQLException {
    createTable();
    execute("CREATE UNIQUE INDEX one_per_order ON outbox_event (aggregate_id)");
    store.insertNew(connection, order("e-1"));

    assertThat(store.insertIfAbsent(connection, order("e-1"), null)).isFalse();
    OutboxStoreException failure =
        failure(() -> store.insertIfAbsent(connection, order("e-2"), null));

    assertThat(failure).hasMessageStartingWith("could not insert event e-2 in table outbox_event");
    assertNoPayload(failure);
  }

  @Test
  void batchIsInsertedCompletelyOrNotAtAllEvenUnderAutoCommit() throws SQLException {
    createTable();
    store.insertNew(connection, event("e-1"));

    failure(() -> store.insertBatch(connection, List.of(event("e-0"), event("e-1"), event("e-2"))));

    assertThat(store.pollPending(connection, later, Duration.ZERO, 10))
        .extracting(OutboxEvent::eventId)
        .containsExactly("e-1");
    assertThat(connection.getAutoCommit()).isTrue();
  }

  @Test
  void payloadNeverShowsWhenTheDatabaseRefusesTheRow() throws SQLException {
    createTable();
    execute("ALTER TABLE outbox_event ADD CONSTRAINT no_bad CHECK (event_type <> 'Bad')");
    execute("ALTER TABLE outbox_event ADD CONSTRAINT one_try CHECK (attempts < 1)");
    store.insertNew(connection, event("e-1"));
    EventEnvelope bad = EventEnvelope.builder("Bad").eventId("e-2").payloadJson(SECRET).build();

    assertNoPayload(failure(() -> store.insertNew(connection, bad)));
    assertNoPayload(failure(() -> store.insertBatch(connection, List.of(event("e-3"), bad))));
    assertNoPayload(failure(() -> store.markDead(connection, "e-1", SECRET)));
  }

  @Test
  void payloadNeverShowsWhenItDoesNotFit() throws SQLException {
    createTable();
    execute("ALTER TABLE outbox_event DROP COLUMN payload");
    execute("ALTER TABLE outbox_event ADD COLUMN payload VARCHAR(10)");

    assertNoPayload(failure(() -> store.insertNew(connection, event("e-1"))));
    assertNoPayload(
        failure(() -> store.insertBatch(connection, List.of(event("e-1"), event("e-2")))));
  }

  @Test
  void payloadThatIsNotJsonIsCalledThatByAJsonColumn() throws SQLException {
    createTable();
    execute("ALTER TABLE outbox_event DROP COLUMN payload");
    execute("ALTER TABLE outbox_event ADD COLUMN payload JSON");
    EventEnvelope bad = EventEnvelope.builder("T").eventId("bad-1").payloadJson("{4711").build();

    assertThatThrownBy(() -> store.insertNew(connection, bad))
        .hasMessageContaining("bad-1")
        .hasMessageContaining("must be JSON")
        .hasMessageNotContaining("4711");
    assertThatThrownBy(() -> store.insertBatch(connection, List.of(event("e-1"), bad)))
        .hasMessageContaining("must be JSON");
  }

  @Test
  void lostConnectionIsRecognisedAsOne() throws SQLException {
    createTable();
    connection.close();

    OutboxStoreException failure = failure(() -> store.insertNew(connection, event("e-1")));

    assertThat(failure).hasMessageContaining("could not insert event e-1 in table outbox_event");
    assertThat(failure.getCause()).isInstanceOf(SQLException.class);
  }

  @Test
  void nothingIsAskedOfTheDatabaseForALimitOfZero() {
    assertThatCode(
            () -> {
              assertThat(store.pollPending(connection, later, Duration.ZERO, 0)).isEmpty();
              assertThat(store.claimPending(connection, "n", later, later, Duration.ZERO, -1))
                  .isEmpty();
              assertThat(store.queryDead(connection, null, null, 0)).isEmpty();
              assertThat(store.releaseClaims(connection, "n", List.of())).isZero();
              assertThat(purger().purge(connection, later, 0)).isZero();
              store.insertBatch(connection, List.of());
            })
        .doesNotThrowAnyException();
  }

  void createTable() {
    OutboxSchema.detect(database.dataSource()).apply(connection);
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static EventEnvelope event(String id) {
    return EventEnvelope.builder("T").eventId(id).payloadJson(SECRET).build();
  }

  private static EventEnvelope order(String id) {
    return EventEnvelope.builder("T").eventId(id).aggregateId("1").payloadJson(SECRET).build();
  }

  private static OutboxStoreException failure(ThrowingCallable operation) {
    OutboxStoreException failure = catchThrowableOfType(OutboxStoreException.class, operation);
    assertThat(failure).isNotNull();
    return failure;
  }

  private static void assertNoPayload(OutboxStoreException failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException e) {
        e.forEach(each -> text.append(each.toString()));
      }
    }
    assertThat(IntStream.range(0, SECRET.length() - 5).mapToObj(i -> SECRET.substring(i, i + 5)))
        .noneMatch(part -> text.toString().contains(part));
    assertThat(failure.getCause()).isInstanceOf(SQLException.class);
  }
}
