package outbox.jdbc.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxException;
import outbox.OutboxWriter;
import outbox.RelayBuilder;
import outbox.WriteResult;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.jdbc.tx.JdbcTransactionManager;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;
import outbox.jdbc.tx.ThreadLocalTxContext;
import outbox.testing.RecordingListener;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** What the documentation says of the rights that a database user needs. */
class PostgresLeastRightsTest {

  private static final List<String> TABLES =
      List.of("outbox_event", "outbox_node", "outbox_fence", "outbox_lease", "outbox_blocked");

  private final String role = "role_" + UUID.randomUUID().toString().replace("-", "");
  private final ThreadLocalTxContext transactions = new ThreadLocalTxContext();
  private final PostgresOutboxStore store = new PostgresOutboxStore();
  private final Database database = Databases.postgres().fresh();

  @BeforeEach
  void create() throws SQLException {
    OutboxSchema.of("postgresql").apply(database.dataSource());
    execute("CREATE ROLE " + role);
  }

  @AfterEach
  void drop() throws SQLException {
    execute("DROP OWNED BY " + role);
    execute("DROP ROLE " + role);
    database.close();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection connect() throws SQLException {
    Connection connection = database.dataSource().getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET ROLE " + role);
    }
    return connection;
  }

  private void write(OutboxWriter writer) throws SQLException {
    try (Transaction transaction =
        new JdbcTransactionManager(this::connect, transactions).begin()) {
      EventEnvelope event = event();
      writer.lockKey("Order", "1");
      writer.writeAll(List.of(event, event()));
      assertThat(writer.writeIfAbsent(event)).isEqualTo(WriteResult.ALREADY_THERE);
      transaction.commit();
    }
  }

  private static EventEnvelope event() {
    return EventEnvelope.builder("T")
        .aggregateType("Order")
        .aggregateId("1")
        .payloadJson("1")
        .build();
  }

  @Test
  void writerNeedsSelectAndInsert() throws SQLException {
    OutboxWriter writer = new OutboxWriter(transactions, store);
    assertThatThrownBy(() -> write(writer)).isInstanceOf(OutboxException.class);

    execute("GRANT SELECT, INSERT ON outbox_event TO " + role);

    write(writer);
  }

  static Stream<RelayBuilder<?>> relays() {
    return Stream.of(Outbox.multiNode(), Outbox.ordered());
  }

  @ParameterizedTest
  @MethodSource("relays")
  void relayNeedsToChangeRows(RelayBuilder<?> builder) throws SQLException {
    execute(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %s"
            .formatted(String.join(", ", TABLES), role));
    RecordingListener listener = new RecordingListener();
    Outbox outbox =
        builder
            .connectionProvider(this::connect)
            .store(store)
            .txContext(transactions)
            .purger(store.purger())
            .listener("Order", "T", listener)
            .build();
    try (outbox) {
      outbox.start();
      write(outbox.writer());
      await().atMost(Duration.ofMinutes(1)).until(() -> listener.events().size() == 2);
    }
  }
}
