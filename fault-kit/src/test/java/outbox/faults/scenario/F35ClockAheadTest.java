package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A node comes whose clock is far ahead, so that by it all leases of others have run out. */
class F35ClockAheadTest extends CalmScenario {

  /** With what a listener takes, work for longer than it takes to start another node. */
  private static final int KEYS = 100;

  private static final Duration AHEAD = Duration.ofHours(1);

  @Test
  void nodeWhoseClockIsAheadTakesNoClaimsOfOthers() throws Exception {
    come(Mode.MULTI);
  }

  @Test
  void nodeWhoseClockIsAheadTakesNoPartitionsThatAreHeld() throws Exception {
    come(Mode.ORDERED);
  }

  private void come(Mode mode) throws Exception {
    protocol.about(
        "2 events for each of %d keys, listeners of 300ms, 1 node, %s".formatted(KEYS, mode),
        "a second node, whose clock is an hour ahead");
    World world = world();
    NodeSettings relay = relay(world, mode).work(Duration.ofMillis(300)).keys("a", KEYS);
    world.accounts().add(relay.keys());
    world.accounts().write(relay.keys(), 2, () -> true);
    NodeProcess first = world.cluster().start(relay);
    world.awaitDeliveriesOf(first);

    long coming = System.nanoTime();
    NodeProcess ahead = world.cluster().start(relay.clock(AHEAD));
    assertThat(world.tables().pending()).as("left when it came").isPositive();
    world.settle();

    assertThat(world.cluster().log(ahead)).contains("clock is off by " + AHEAD);
    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    protocol.converged(checker.lag(coming));
  }
}
