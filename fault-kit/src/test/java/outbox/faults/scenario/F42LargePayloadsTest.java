package outbox.faults.scenario;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** Many more payloads of 1 MB than fit into the heap are written faster than they are delivered. */
class F42LargePayloadsTest extends CalmScenario {

  private static final int EVENTS = 150;

  @Test
  void payloadsThatFillTheQueuesStayWithinTheBudget() throws Exception {
    deliver(Mode.MULTI);
  }

  @Test
  void payloadsThatFillTheLanesStayWithinTheBudget() throws Exception {
    deliver(Mode.ORDERED);
  }

  private void deliver(Mode mode) throws Exception {
    protocol.about(
        "%d events of 1 MB for 50 keys, 1 node that writes and delivers, %s"
            .formatted(EVENTS, mode),
        "heap of 112 MB, of which an eighth for events");
    World world = world();
    NodeSettings settings =
        relay(world, mode)
            .heap(112)
            .work(Duration.ofMillis(100))
            .keys("a", 50)
            .rate(100)
            .events(EVENTS)
            .eventsOfKey(1)
            .payloadBytes(1 << 20);
    world.accounts().add(settings.keys());
    NodeProcess node = world.cluster().start(settings);
    node.awaitWritten();
    long written = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    protocol.converged(checker.lag(written));
  }
}
