package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.SpecifiedTable;
import outbox.jdbc.TableName;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.EventKey;
import outbox.spi.EventFilter;
import outbox.spi.LeaseTable;
import outbox.spi.LeaseTable.RelayView;
import outbox.spi.NodeSession;
import outbox.spi.OrderedScan;
import outbox.spi.OrderedStore;
import outbox.testing.databases.Database;

/** What delivery in order needs of a schema, whatever its tables are called, and what it says. */
abstract class OrderedSchemaContract {

  private static final List<String> SHARED =
      List.of("outbox_node", "outbox_fence", "outbox_lease", "outbox_blocked");

  private static final NodeSession NODE =
      new NodeSession("relay", "session", "node", 4, Duration.ofMinutes(5));

  Database database;
  AbstractJdbcOutboxStore store;
  Connection connection;

  abstract Database server();

  /** Creates it and returns its name. */
  abstract String otherSchema() throws SQLException;

  /** The types of the specification's table: of JSON and of time. */
  abstract List<String> types();

  abstract int statementsOfARead();

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
  void everyMissingTableIsNamedWithItsScript() throws SQLException {
    for (String table : SHARED) {
      apply(TableName.DEFAULT);
      store.ordered().check(connection);
      execute("DROP TABLE " + table);

      assertMissing(() -> store.ordered().check(connection), table, "-ordered.sql");
    }
  }

  @Test
  void missingNumberIsNamedWithTheScriptOfTheTable() throws SQLException {
    SpecifiedTable.create(database.dataSource(), types().get(0), types().get(1));

    assertMissing(() -> store.ordered().check(connection), "seq", "outbox_event", ".sql");
  }

  @Test
  void tableWithoutWhatOrderNeedsWorksForAllElse() throws SQLException {
    OutboxSchema.of(store.name()).unordered().apply(database.dataSource());

    store.insertNew(connection, event("a", null));

    assertThat(store.find(connection, "a")).isPresent();
    assertMissing(() -> store.ordered().check(connection), "-ordered.sql");
    OutboxSchema.of(store.name()).apply(database.dataSource());
    store.ordered().check(connection);
    assertThat(read(store)).containsExactly("a");
  }

  @Test
  void everyOperationSaysWhatIsMissing() throws SQLException {
    SpecifiedTable.create(database.dataSource(), types().get(0), types().get(1));
    OrderedStore ordered = store.ordered();
    EventKey key = new EventKey("Order", "1");

    assertThat(
            List.<ThrowingCallable>of(
                () -> ordered.leases().join(connection, NODE),
                () -> ordered.leases().renew(connection, NODE),
                () -> ordered.leases().view(connection, "relay"),
                () -> ordered.leases().acquire(connection, NODE, 0),
                () -> ordered.leases().release(connection, NODE, 0),
                () -> ordered.leases().leave(connection, NODE),
                () -> ordered.leases().holds(connection, NODE),
                () -> ordered.heads(connection, "relay", List.of("a")),
                () -> ordered.block(connection, "relay", key, "a"),
                () -> ordered.unblock(connection, "relay", "a"),
                () -> ordered.blocks(connection, "relay"),
                () -> ordered.blockedKeys(connection, "relay", 10)))
        .allSatisfy(operation -> assertMissing(operation, "outbox_lease", "-ordered.sql"));
    assertMissing(() -> read(store), "seq", ".sql");
    assertThat(connection.getAutoCommit()).isTrue();
  }

  @Test
  void tablesOfAnyNameAndSchemaAreRecognised() throws SQLException {
    String other = otherSchema();
    List<TableName> tables =
        List.of(
            TableName.of("billing_outbox"),
            TableName.of("a".repeat(62) + "1"),
            TableName.of("a".repeat(62) + "2"),
            TableName.of(other, "outbox_event"),
            TableName.of(other, "b".repeat(63)));

    for (TableName table : tables) {
      AbstractJdbcOutboxStore named = store.withTable(table);
      assertThatThrownBy(() -> named.ordered().check(connection))
          .hasMessageContaining(table.toString());
      OutboxSchema.of(store.name()).withTable(table).unordered().apply(database.dataSource());
      apply(table);
      assertThatCode(() -> named.ordered().check(connection)).doesNotThrowAnyException();
      named.insertNew(connection, event(table.name().substring(0, 1), "Order"));
      assertThat(read(named)).hasSize(1);
    }
  }

  @Test
  void tablesOfASchemaShareLeasesWithoutMeeting() throws SQLException {
    AbstractJdbcOutboxStore other = store.withTable(TableName.of("billing_outbox"));
    apply(TableName.DEFAULT);
    apply(TableName.of("billing_outbox"));
    NodeSession second = new NodeSession("relay", "second", "node", 8, Duration.ofMinutes(5));

    store.ordered().leases().join(connection, NODE);
    other.ordered().leases().join(connection, second);
    store.ordered().leases().acquire(connection, NODE, 0);

    RelayView view = other.ordered().leases().view(connection, "relay");
    assertThat(view.sessionIds()).containsExactly("second");
    assertThat(view.partitions()).hasSize(8).allMatch(lease -> lease.isFree());
  }

  @Test
  @Timeout(40)
  void nobodyWaitsForAPartitionThatIsJustBeingTaken() throws SQLException {
    apply(TableName.DEFAULT);
    NodeSession second = new NodeSession("relay", "second", "node", 4, Duration.ofMinutes(5));
    LeaseTable leases = store.ordered().leases();
    leases.join(connection, NODE);
    leases.join(connection, second);

    try (Connection silent = database.dataSource().getConnection()) {
      silent.setAutoCommit(false);
      assertThat(leases.acquire(silent, NODE, 0)).isNotNull();

      assertThat(leases.acquire(connection, second, 0)).isNull();
      assertThat(leases.acquire(connection, second, 1)).isNotNull();
      silent.rollback();
    }
    assertThat(leases.acquire(connection, second, 0)).isNotNull();
  }

  @Test
  void aggregatesWithoutATypeAreToldApart() throws SQLException {
    apply(TableName.DEFAULT);
    for (String id : List.of("typed", "untyped", "neither")) {
      store.insertNew(connection, event(id, "Order"));
    }
    execute("UPDATE outbox_event SET aggregate_type = NULL WHERE event_id <> 'typed'");
    execute("UPDATE outbox_event SET aggregate_id = NULL WHERE event_id = 'neither'");
    Set<EventKey> untyped = Set.of(new EventKey(null, "1"));

    assertThat(read(store, untyped, Set.of())).containsExactly("untyped");
    assertThat(read(store, Set.of(), untyped)).containsExactly("typed", "neither");
    assertThat(read(store, Set.of(), Set.of(new EventKey("Order", "1"))))
        .containsExactly("untyped", "neither");

    store.markDead(connection, "untyped", "e");
    store.ordered().block(connection, "relay", new EventKey(null, "1"), "untyped");
    store.insertNew(connection, event("behind", "Order"));
    execute("UPDATE outbox_event SET aggregate_type = NULL WHERE event_id = 'behind'");
    assertThat(store.ordered().blockedKeys(connection, "relay", 10))
        .singleElement()
        .satisfies(blocked -> assertThat(blocked.depth()).isOne())
        .satisfies(blocked -> assertThat(blocked.key()).isEqualTo(new EventKey(null, "1")));
    assertThat(store.ordered().blocks(connection, "relay").get(0).key())
        .isEqualTo(new EventKey(null, "1"));
  }

  @Test
  void readLeavesTheConnectionAsItWasEvenIfItFails() throws SQLException {
    apply(TableName.DEFAULT);
    store.insertNew(connection, event("a", "Order"));
    for (boolean autoCommit : List.of(true, false)) {
      connection.setAutoCommit(autoCommit);
      assertThat(read(store)).containsExactly("a");
      assertSeesOnlyWhatIsCommitted();
      for (int failing = 0; failing < statementsOfARead(); failing++) {
        int isolation = connection.getTransactionIsolation();
        Connection refusing = FailingReads.after(connection, failing);

        assertThatThrownBy(() -> read(store, refusing)).isInstanceOf(OutboxStoreException.class);

        assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
        assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
        assertSeesOnlyWhatIsCommitted();
      }
    }
  }

  /** The next transaction of the connection must not be the one that reads uncommitted rows. */
  private void assertSeesOnlyWhatIsCommitted() throws SQLException {
    try (Connection writer = database.dataSource().getConnection()) {
      writer.setAutoCommit(false);
      store.insertNew(writer, event("open", "Order"));
      assertThat(
              JdbcTemplate.query(
                  connection, "SELECT event_id FROM outbox_event", row -> row.getString(1)))
          .containsExactly("a");
      writer.rollback();
    }
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
  }

  void assertMissing(ThrowingCallable operation, String... parts) {
    assertThatThrownBy(operation)
        .isInstanceOf(OutboxStoreException.class)
        .hasMessageContaining("schema/" + store.name())
        .hasMessageContaining("OutboxSchema")
        .message()
        .contains(parts);
  }

  void apply(TableName table) {
    OutboxSchema.of(store.name()).withTable(table).apply(database.dataSource());
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> read(AbstractJdbcOutboxStore store) {
    return read(store, Set.of(), Set.of());
  }

  private List<String> read(AbstractJdbcOutboxStore store, Connection connection) {
    return ids(store, connection, Set.of(), Set.of());
  }

  private List<String> read(
      AbstractJdbcOutboxStore store, Set<EventKey> only, Set<EventKey> except) {
    return ids(store, connection, only, except);
  }

  private static List<String> ids(
      AbstractJdbcOutboxStore store,
      Connection connection,
      Set<EventKey> only,
      Set<EventKey> except) {
    BitSet buckets = new BitSet();
    buckets.set(0, OrderedStore.BUCKETS);
    OrderedScan scan =
        new OrderedScan(
            0, Long.MAX_VALUE, 10, buckets, only, except, EventFilter.ALL, 0, Long.MAX_VALUE);
    return store.ordered().read(connection, scan).rows().stream()
        .map(row -> row.event().eventId())
        .toList();
  }

  private static EventEnvelope event(String id, String aggregateType) {
    return EventEnvelope.builder("T")
        .eventId(id)
        .aggregateType(aggregateType)
        .aggregateId("1")
        .payloadJson("{}")
        .build();
  }
}
