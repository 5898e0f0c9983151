package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.testing.databases.Database;

/**
 * Large events right after small ones fit into a small heap, with the driver's own copies of them:
 * a whole batch of them would take more than all of it.
 */
@Timeout(300)
@TestInstance(Lifecycle.PER_CLASS)
abstract class MixedSizesContract {

  private static final int SMALL = 2000;
  private static final int LARGE = 150;
  private static final int KEYS = 50;

  private Database database;

  abstract Database server();

  @BeforeAll
  void fillTable() throws SQLException {
    database = server().fresh();
    OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
    AbstractJdbcOutboxStore store = JdbcOutboxStores.detect(database.dataSource());
    String large = '"' + "x".repeat(EventEnvelope.MAX_PAYLOAD_BYTES - 2) + '"';
    try (Connection connection = database.dataSource().getConnection()) {
      store.insertBatch(connection, events(0, SMALL, "{}"));
      for (int i = 0; i < LARGE; i += 10) {
        store.insertBatch(connection, events(SMALL + i, 10, large));
      }
    }
  }

  @AfterAll
  void dropDatabase() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource
  void largeEventsAfterSmallOnesAreDeliveredInASmallHeap(MixedSizesRelay.Kind kind)
      throws Exception {
    makePending();

    Process relay = relay(database.url(), kind);
    String output = new String(relay.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(relay.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(relay.exitValue()).as(output).isZero();
    assertThat(done()).isEqualTo(SMALL + LARGE);
  }

  /** As they were before a relay delivered them. */
  private void makePending() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE outbox_event"
              + " SET status = 0, done_at = NULL, locked_by = NULL, locked_at = NULL");
    }
  }

  private static List<EventEnvelope> events(int first, int count, String payload) {
    return IntStream.range(first, first + count)
        .mapToObj(
            i ->
                EventEnvelope.builder(MixedSizesRelay.TYPE)
                    .aggregateType("Order")
                    .aggregateId("o-" + i % KEYS)
                    .payloadJson(payload)
                    .build())
        .toList();
  }

  private int done() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet done =
            statement.executeQuery("SELECT COUNT(*) FROM outbox_event WHERE status = 1")) {
      done.next();
      return done.getInt(1);
    }
  }

  private static Process relay(String url, MixedSizesRelay.Kind kind) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            MixedSizesRelay.class.getName(),
            url,
            kind.name(),
            Integer.toString(SMALL + LARGE))
        .redirectErrorStream(true)
        .start();
  }
}
