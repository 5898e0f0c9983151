package outbox.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableName;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.testing.databases.Connections;
import outbox.testing.databases.Database;

/** What the schema of each database promises. */
abstract class OutboxSchemaContract {

  private Database database;
  OutboxSchema schema;

  abstract Database server();

  abstract AbstractJdbcEventPurger purger();

  /** Makes a schema beside the current one and returns its name. */
  abstract String otherSchema(Database database) throws SQLException;

  @BeforeEach
  void openDatabase() {
    database = server().fresh();
    schema = OutboxSchema.detect(database.dataSource());
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource
  void appliesTwiceAndStays(Connections connections) throws SQLException {
    schema.apply(database.dataSource(connections));
    roundTrip(TableName.DEFAULT);

    schema.apply(database.dataSource(connections));

    roundTrip(TableName.DEFAULT);
  }

  @RepeatedTest(5)
  void appliesForSeveralNodesAtOnce() throws Exception {
    ExecutorService nodes = Executors.newFixedThreadPool(6);
    try {
      Callable<Void> node =
          () -> {
            schema.apply(database.dataSource());
            return null;
          };
      for (Future<Void> done : nodes.invokeAll(List.of(node, node, node, node, node, node))) {
        done.get();
      }
    } finally {
      nodes.shutdownNow();
    }

    roundTrip(TableName.DEFAULT);
  }

  @Test
  void tablesOfAnyNameStandSideBySide() throws SQLException {
    List<TableName> tables =
        List.of(
            TableName.DEFAULT,
            TableName.of("billing_outbox"),
            TableName.of("x"),
            TableName.of("a".repeat(62) + "1"),
            TableName.of("a".repeat(62) + "2"));

    for (TableName table : tables) {
      schema.withTable(table).apply(database.dataSource());
      schema.withTable(table).apply(database.dataSource());
      roundTrip(table);
    }
  }

  @Test
  void tableStandsInAnotherSchema() throws SQLException {
    String other = otherSchema(database);
    TableName table = TableName.of(other, "outbox_event");

    schema.withTable(table).apply(database.dataSource());
    schema.withTable(table).apply(database.dataSource());

    roundTrip(table);
    assertThatThrownBy(() -> roundTrip(TableName.DEFAULT))
        .isInstanceOf(OutboxStoreException.class)
        .hasMessageContaining("does not exist");
  }

  @Test
  void rowsAreNumberedAndSpreadByTheDatabase() throws SQLException {
    schema.apply(database.dataSource());
    try (Connection connection = database.dataSource().getConnection()) {
      List<EventEnvelope> events = new ArrayList<>();
      IntStream.range(0, 500).forEach(i -> events.add(event("Order", "order-" + i)));
      IntStream.range(0, 5).forEach(i -> events.add(event("Order", "order-7")));
      IntStream.range(0, 5).forEach(i -> events.add(event("Order", null)));
      store().insertBatch(connection, events);

      assertThat(column(connection, "COUNT(DISTINCT seq)")).containsExactly("510");
      assertThat(column(connection, "MIN(partition_no) >= 0 AND MAX(partition_no) <= 1023"))
          .hasSize(1)
          .first()
          .isIn("1", "t", "TRUE");
      assertThat(column(connection, "COUNT(DISTINCT partition_no)"))
          .first()
          .satisfies(count -> assertThat(Integer.parseInt(count)).isBetween(300, 500));
      assertThat(column(connection, "COUNT(DISTINCT partition_no)", "aggregate_id = 'order-7'"))
          .containsExactly("1");
      assertThat(column(connection, "COUNT(partition_no)", "aggregate_id IS NULL"))
          .containsExactly("0");
    }
  }

  @Test
  void idsAndTypesThatDifferInCaseAreDifferent() throws SQLException {
    schema.apply(database.dataSource());
    try (Connection connection = database.dataSource().getConnection()) {
      store()
          .insertBatch(
              connection,
              List.of(
                  EventEnvelope.builder("Paid").eventId("a").payloadJson("1").build(),
                  EventEnvelope.builder("paid").eventId("A").payloadJson("2").build()));
      store().markDead(connection, "a", "e");
      store().markDead(connection, "A", "e");

      assertThat(store().countDead(connection, "paid")).isEqualTo(1);
      assertThat(store().find(connection, "A").orElseThrow().event().payloadJson()).isEqualTo("2");
    }
  }

  @Test
  void scriptStandsAloneWithTheDefaultName() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      // Drivers that take a whole script know where a function's body ends.
      String ddl = schema.ddl().strip();
      List<String> parts = ddl.contains("$$") ? List.of(ddl) : List.of(ddl.split(";\\s*(\n|$)", 0));
      for (String sql : parts) {
        statement.execute(sql);
      }
    }

    roundTrip(TableName.DEFAULT);
    assertThat(schema.ddl()).isEqualTo(OutboxSchema.of(store().name()).ddl()).contains("--");
    assertThat(schema.statements())
        .noneMatch(sql -> sql.contains("--"))
        .noneMatch(sql -> sql.contains(";") && !sql.contains("$$"));
  }

  private AbstractJdbcOutboxStore store() {
    return JdbcOutboxStores.detect(database.dataSource());
  }

  private void roundTrip(TableName table) throws SQLException {
    AbstractJdbcOutboxStore store = store().withTable(table);
    EventEnvelope event = event("Order", "order-1");
    Instant later = Clock.systemUTC().instant().plus(Duration.ofMinutes(1));
    try (Connection connection = database.dataSource().getConnection()) {
      store.insertNew(connection, event);
      assertThat(store.claimPending(connection, "n", later, later, Duration.ZERO, 10)).hasSize(1);
      assertThat(store.markDone(connection, event.eventId())).isEqualTo(1);
      assertThat(purger().withTable(table).purge(connection, later, 10)).isEqualTo(1);
    }
  }

  private static List<String> column(Connection connection, String expression) {
    return column(connection, expression, "1 = 1");
  }

  private static List<String> column(Connection connection, String expression, String where) {
    return JdbcTemplate.query(
        connection,
        "SELECT " + expression + " FROM outbox_event WHERE " + where,
        row -> row.getString(1));
  }

  private static EventEnvelope event(String aggregateType, String aggregateId) {
    return EventEnvelope.builder("T")
        .aggregateType(aggregateType)
        .aggregateId(aggregateId)
        .payloadJson("{}")
        .build();
  }

  static void execute(Database database, String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
