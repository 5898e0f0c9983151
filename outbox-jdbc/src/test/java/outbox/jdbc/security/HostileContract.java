package outbox.jdbc.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.testing.databases.Database;

/** Whatever is tried, other tables and other rows are as they were. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class HostileContract {

  static final Duration LONG = Duration.ofMinutes(5);

  private static final String BYSTANDER = "bystander";

  final Instant later = Clock.systemUTC().instant().plus(Duration.ofHours(1));

  Database database;
  Connection connection;
  AbstractJdbcOutboxStore store;
  private List<String> before;

  abstract Database server();

  @BeforeAll
  void create() throws SQLException {
    database = server().fresh();
    connection = database.dataSource().getConnection();
    OutboxSchema.detect(database.dataSource()).apply(connection);
    store = JdbcOutboxStores.detect(connection);
    execute("CREATE TABLE canary (name VARCHAR(10))");
    execute("INSERT INTO canary VALUES ('alive')");
  }

  @AfterAll
  void drop() throws SQLException {
    connection.close();
    database.close();
  }

  @BeforeEach
  void begin() throws SQLException {
    execute("DELETE FROM outbox_event");
    store.insertNew(
        connection,
        EventEnvelope.builder(BYSTANDER)
            .eventId(BYSTANDER)
            .aggregateType(BYSTANDER)
            .aggregateId(BYSTANDER)
            .tenantId(BYSTANDER)
            .header(BYSTANDER, BYSTANDER)
            .availableAt(later.plus(LONG))
            .payloadJson("{\"bystander\":true}")
            .build());
    before = bystanders();
  }

  @AfterEach
  void end() throws SQLException {
    assertThat(rows("SELECT * FROM canary")).containsExactly("[alive]");
    assertThat(bystanders()).isEqualTo(before);
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> bystanders() throws SQLException {
    return rows("SELECT * FROM outbox_event WHERE event_type = 'bystander'");
  }

  private List<String> rows(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row.toString());
      }
      return rows;
    }
  }
}
