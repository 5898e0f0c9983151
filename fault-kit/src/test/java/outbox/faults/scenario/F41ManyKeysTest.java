package outbox.faults.scenario;

import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.world.World;

/** More keys than a node could remember. */
class F41ManyKeysTest extends CalmScenario {

  private static final int CHUNK = 10_000;

  @Test
  void manyKeysFitIntoASmallHeap() throws Exception {
    deliver(30_000, 32);
  }

  @Test
  void moreKeysThanASmallHeapCouldRememberAreDelivered() throws Exception {
    deliver(200_000, 48);
  }

  private void deliver(int count, int heap) throws Exception {
    protocol.about("%,d keys, 1 node, ORDERED".formatted(count), "heap of %d MB".formatted(heap));
    World world = world();
    world.cluster().start(relay(world, Mode.ORDERED).heap(heap));
    List<String> keys = keys("a", count);
    for (int i = 0; i < count; i += CHUNK) {
      world.accounts().open(keys.subList(i, i + CHUNK), 1);
    }
    long written = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats().inOrder();
    protocol.converged(checker.lag(written));
  }
}
