package outbox.faults.scenario;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A node comes whose clock is far ahead, so that by it all leases of others have run out. */
class F35ClockAheadTest extends CalmScenario {

  private static final int KEYS = 60;
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
    world.cluster().start(relay.clock(AHEAD));
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    protocol.converged(checker.lag(coming));
  }
}
