package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;

class NodesTest {

  @Test
  void eachEventIsDeliveredByOneOfTwoNodes() throws SQLException {
    var dataSource = JdbcConnectionPool.create("jdbc:h2:mem:nodes", "sa", "");
    var database = JdbcDatabase.of(dataSource).createTable();
    List<String> delivered = new CopyOnWriteArrayList<>();

    try (Outbox one = Nodes.node(database, event -> delivered.add(event.payloadJson()));
        Outbox other = Nodes.node(database, event -> delivered.add(event.payloadJson()))) {
      List<String> written = IntStream.range(0, 100).mapToObj(Integer::toString).toList();
      write(database, one, written.subList(0, 50)); // before the start, so that polls find them
      Stream.of(one, other).forEach(Outbox::start);
      write(database, other, written.subList(50, 100));

      await().atMost(Duration.ofMinutes(1)).until(() -> delivered.size() >= written.size());
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> one.status().inFlight() + other.status().inFlight() == 0);
      assertThat(delivered).containsExactlyInAnyOrderElementsOf(written);
    }
    dataSource.dispose();
  }

  private static void write(JdbcDatabase database, Outbox outbox, List<String> payloads)
      throws SQLException {
    try (var transaction = database.begin()) {
      payloads.forEach(payload -> outbox.writer().write("OrderPlaced", payload));
      transaction.commit();
    }
  }
}
