package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.history.Entry;
import outbox.faults.history.History;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.World;

/** Somebody reads for so long that the database can't clear away what is finished. */
@Tag(Scenario.ALONE)
class F15OldSnapshotTest extends DatabaseScenario {

  private static final int KEYS = 500;
  private static final int EVENTS_PER_KEY = 4;
  private static final int WINDOWS = 8;

  @Test
  void claimsPassFinishedRowsWithoutLooking() throws Exception {
    holdSnapshot(Mode.MULTI, 40_000);
  }

  @Test
  void partitionsPassFinishedRowsWithoutLooking() throws Exception {
    holdSnapshot(Mode.ORDERED, 40_000);
  }

  @Test
  void claimsPassManyFinishedRowsWithoutLooking() throws Exception {
    holdSnapshot(Mode.MULTI, 100_000);
  }

  @Test
  void partitionsPassManyFinishedRowsWithoutLooking() throws Exception {
    holdSnapshot(Mode.ORDERED, 100_000);
  }

  private void holdSnapshot(Mode mode, int events) throws Exception {
    protocol.about(
        "backlog of %,d events of 500 keys, 1 node, %s".formatted(events, mode),
        "a snapshot that is older than all of them stays open");
    World world = world();
    NodeSettings node = world.relay(mode).keys("a", KEYS);
    world.accounts().add(node.keys());
    try (Connection reader = world.database().dataSource().getConnection();
        Statement statement = reader.createStatement()) {
      reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      reader.setAutoCommit(false);
      statement.executeQuery("SELECT COUNT(*) FROM outbox_event").close();
      for (int written = 0; written < events; written += KEYS * EVENTS_PER_KEY) {
        world.accounts().write(node.keys(), EVENTS_PER_KEY, () -> true);
      }
      world.cluster().start(node);
      world.awaitStill();
      verdict(world, mode).noRepeats();
      reader.rollback();
    }
    assertSteady(world.history());
  }

  /**
   * The median of three windows, so that what others do on this machine counts less. While the node
   * gets going it doesn't count.
   */
  private static void assertSteady(History history) {
    double first = throughput(history, 1, 4);
    double last = throughput(history, 5, 8);
    assertThat(last / first).as("throughput at the end, of that at the start").isGreaterThan(0.9);
  }

  /** Each window has several claims, or pages, and what happens between them. */
  private static double throughput(History history, int from, int to) {
    List<Entry.Ends> deliveries = history.deliveries();
    int window = (deliveries.size() - 1) / WINDOWS;
    return IntStream.range(from, to)
        .mapToLong(
            i -> deliveries.get((i + 1) * window).nanos() - deliveries.get(i * window).nanos())
        .mapToDouble(nanos -> window * 1e9 / nanos)
        .sorted()
        .skip((to - from) / 2)
        .findFirst()
        .orElseThrow();
  }
}
