package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.history.Entry;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** Somebody reads for so long that the database can't clear away what is finished. */
@Tag(Scenario.ALONE)
class F15OldSnapshotTest extends DatabaseScenario {

  private static final int KEYS = 500;
  private static final int EVENTS_PER_KEY = 4;
  private static final int WINDOWS = 16;
  private static final int ROUNDS = 8;

  @Test
  void claimsPassFinishedRowsWithoutLooking() throws Exception {
    holdSnapshot(Mode.MULTI, 60_000);
  }

  @Test
  void partitionsPassFinishedRowsWithoutLooking() throws Exception {
    holdSnapshot(Mode.ORDERED, 60_000);
  }

  private void holdSnapshot(Mode mode, int events) throws Exception {
    protocol.about(
        "%d times a backlog of %,d events of 500 keys, 1 node, %s".formatted(ROUNDS, events, mode),
        "a snapshot that is older than all of them stays open");
    World world = world();
    NodeSettings node = world.relay(mode).keys("a", KEYS);
    world.accounts().add(node.keys());
    List<Double> rates = new ArrayList<>();
    try (Connection reader = world.database().dataSource().getConnection();
        Statement statement = reader.createStatement()) {
      reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      reader.setAutoCommit(false);
      statement.executeQuery("SELECT COUNT(*) FROM outbox_event").close();
      for (int round = 0; round < ROUNDS; round++) {
        rates.addAll(drain(world, node, events));
      }
      verdict(world, mode).noRepeats();
      reader.rollback();
    }
    int half = rates.size() / 2;
    assertThat(undisturbed(rates.subList(half, 2 * half)) / undisturbed(rates.subList(0, half)))
        .as("throughput of the later rounds, of that of the first ones, events/s: %s", rates)
        .isGreaterThanOrEqualTo(0.9);
  }

  /**
   * What three of four windows stay below: what is finished gets more with every round, while
   * others on this machine come and go.
   */
  private static double undisturbed(List<Double> rates) {
    return rates.stream().sorted().skip(rates.size() * 3L / 4).findFirst().orElseThrow();
  }

  private static List<Double> drain(World world, NodeSettings node, int events) throws Exception {
    int before = world.history().deliveries().size();
    for (int written = 0; written < events; written += KEYS * EVENTS_PER_KEY) {
      world.accounts().write(node.keys(), EVENTS_PER_KEY, () -> true);
    }
    NodeProcess draining = world.cluster().start(node);
    world.awaitStill();
    world.cluster().shutDown(draining);
    List<Entry.Ends> all = world.history().deliveries();
    return throughput(all.subList(before, all.size()));
  }

  /**
   * Of each window, which has several claims, or pages, and what happens between them. While the
   * node gets going it doesn't count.
   */
  private static List<Double> throughput(List<Entry.Ends> deliveries) {
    int window = (deliveries.size() - 1) / WINDOWS;
    return IntStream.range(2, WINDOWS)
        .mapToLong(
            i -> deliveries.get((i + 1) * window).nanos() - deliveries.get(i * window).nanos())
        .mapToObj(nanos -> window * 1e9 / nanos)
        .toList();
  }
}
