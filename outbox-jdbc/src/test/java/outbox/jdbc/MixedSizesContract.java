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
abstract class MixedSizesContract {

  private static final int SMALL = 2000;
  private static final int LARGE = 300;
  private static final int KEYS = 50;

  abstract Database server();

  @ParameterizedTest
  @EnumSource
  void largeEventsAfterSmallOnesAreDeliveredInASmallHeap(MixedSizesRelay.Kind kind)
      throws Exception {
    try (Database database = server().fresh()) {
      OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
      fill(database);

      Process relay = relay(database.url(), kind);
      String output = new String(relay.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(relay.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(relay.exitValue()).as(output).isZero();
      assertThat(done(database)).isEqualTo(SMALL + LARGE);
    }
  }

  private static void fill(Database database) throws SQLException {
    AbstractJdbcOutboxStore store = JdbcOutboxStores.detect(database.dataSource());
    String large = '"' + "x".repeat(EventEnvelope.MAX_PAYLOAD_BYTES - 2) + '"';
    try (Connection connection = database.dataSource().getConnection()) {
      store.insertBatch(connection, events(0, SMALL, "{}"));
      for (int i = 0; i < LARGE; i += 10) {
        store.insertBatch(connection, events(SMALL + i, 10, large));
      }
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

  private static int done(Database database) throws SQLException {
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
