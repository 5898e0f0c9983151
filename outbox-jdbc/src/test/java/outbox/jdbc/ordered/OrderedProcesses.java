package outbox.jdbc.ordered;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import outbox.jdbc.database.JdbcDatabase;
import outbox.testing.databases.Database;

/** A database of its own for each test, and nodes on it in processes of their own. */
abstract class OrderedProcesses {

  static final Duration LEASE = Duration.ofSeconds(2);

  /** As many statuses as a dispatcher has to write at most, and a group that is being written. */
  static final int UNWRITTEN = 3000;

  @TempDir Path folder;

  Database database;
  JdbcDatabase outbox;
  Tables tables;

  /** Where a database for the test is made. */
  abstract Database server();

  @BeforeEach
  void createDatabase() {
    database = server().fresh();
    outbox = JdbcDatabase.of(database.pooled()).createTable();
    tables = new Tables(outbox.connections());
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  /** Nodes that fail never and take a millisecond per event. */
  NodeSettings settings() {
    return new NodeSettings(
        database.url(), file().toString(), "", "", LEASE.toMillis(), 0, 1_000, 1_000);
  }

  Cluster cluster(NodeSettings settings) {
    return new Cluster(settings, tables, folder);
  }

  History history() {
    return History.read(file());
  }

  private Path file() {
    return folder.resolve("history");
  }

  static void awaitThat(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(20)).atMost(Cluster.PATIENCE).until(condition);
  }

  /** Nothing is lost, invented or out of order, whatever comes twice. */
  Verdict judge(Aggregates aggregates) throws SQLException {
    Map<String, Map<Integer, String>> committed = tables.committed();
    assertThat(
            committed.entrySet().stream()
                .collect(toMap(Map.Entry::getKey, events -> events.getValue().size())))
        .isEqualTo(aggregates.versions());
    return Verdict.on(history()).requireOrder().requireExactly(committed);
  }
}
