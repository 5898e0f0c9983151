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
    protocol.about(
        "%d events of 1 MB for 50 keys, 1 node that writes and delivers, MULTI".formatted(EVENTS),
        "heap of 112 MB, of which an eighth for events");
    World world = world();
    NodeSettings settings = writing(slow(world, Mode.MULTI).heap(112));
    world.accounts().add(settings.keys());
    NodeProcess node = world.cluster().start(settings);
    node.awaitWritten();
    long written = System.nanoTime();
    world.settle();

    protocol.converged(judge(world).nothingPending().nothingDead().noRepeats().lag(written));
  }

  @Test
  void payloadsThatFillTheLanesStayWithinTheBudget() throws Exception {
    protocol.about(
        "%d events of 1 MB for 50 keys, 1 node, ORDERED".formatted(EVENTS),
        "heap of 96 MB, of which an eighth for events");
    World world = world();
    NodeSettings writer = writing(world.relay(Mode.WRITER).heap(256));
    world.accounts().add(writer.keys());
    world.cluster().start(slow(world, Mode.ORDERED).heap(96));
    NodeProcess node = world.cluster().start(writer);
    node.awaitWritten();
    long written = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats().inOrder();
    protocol.converged(checker.lag(written));
  }

  private static NodeSettings slow(World world, Mode mode) {
    return relay(world, mode).work(Duration.ofMillis(100));
  }

  private static NodeSettings writing(NodeSettings node) {
    return node.keys("a", 50).rate(100).events(EVENTS).eventsOfKey(1).payloadBytes(1 << 20);
  }
}
