package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/**
 * Applications that write and deliver are replaced one after the other, and write until their very
 * end. With time to drain, nothing comes twice.
 */
class F2RollingDeployTest extends Scenario {

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final int ROUNDS = 3;

  @Test
  @Timeout(600)
  void deploysAgainAndAgainDeliverEverythingOnce() throws Exception {
    deploy(Mode.MULTI);
  }

  @Test
  @Timeout(600)
  void deploysAgainAndAgainDeliverEverythingOnceAndInOrder() throws Exception {
    deploy(Mode.ORDERED);
  }

  private void deploy(Mode mode) throws Exception {
    protocol.about(
        "300 events/s for 100 keys by 3 nodes that write and deliver, %s".formatted(mode),
        "SIGTERM of one after the other, %d rounds, lease 10s".formatted(ROUNDS));
    World world = world();
    NodeSettings silent =
        world.relay(mode).lease(Duration.ofSeconds(10)).work(Duration.ofMillis(2)).keys("a", 100);
    world.accounts().add(silent.keys());
    NodeSettings application = silent.rate(100);
    world.cluster().start(3, application);

    for (int round = 0; round < ROUNDS; round++) {
      for (NodeProcess old : world.cluster().running()) {
        NodeProcess replacement = world.cluster().start(application);
        assertThat(world.cluster().terminate(old, GRACE)).as("ends in time").isTrue();
        world.awaitDeliveriesOf(replacement);
      }
    }
    NodeProcess last = world.cluster().start(silent);
    world.cluster().running().stream()
        .filter(node -> node != last)
        .forEach(world.cluster()::shutDown);
    long stopped = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    }
    protocol.converged(checker.lag(stopped));
  }
}
