package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.World;

/**
 * Half of all events are of one key, which can be delivered one after the other only, and come
 * faster than that: its queue grows and grows, and nobody else may wait for it.
 */
@Tag(Scenario.ALONE)
class F39HotKeyTest extends CalmScenario {

  private static final Duration WINDOW = Duration.ofSeconds(5);
  private static final Duration WORK = Duration.ofMillis(10);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final String HOT = "hot0";

  @Test
  void keyWithHalfOfTheTrafficTakesNothingFromTheOthers() throws Exception {
    protocol.about(
        "150 events/s for one key and 150 for 100 others, 1 node, ORDERED",
        "one key has half of all traffic, a call takes %d ms".formatted(WORK.toMillis()));
    World world = world();
    var node = world.cluster().start(relay(world, Mode.ORDERED).work(WORK));
    world.cluster().start(world.writer(150, 100));
    NodeSettings hot = world.relay(Mode.WRITER).keys("hot", 1).rate(150).rollbacks(0);
    world.accounts().add(List.of(HOT));
    world.cluster().start(hot);
    world.awaitDeliveriesOf(node);

    long from = System.nanoTime();
    world.awaitTime(from, WINDOW);
    long stopped = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats().inOrder();
    Traffic traffic = new Traffic(world.history());
    assertThat(traffic.share(from, stopped, event -> event.key().equals(HOT)))
        .as("throughput of the key that can't keep up")
        .isLessThan(0.8);
    assertThat(traffic.share(from, stopped, event -> !event.key().equals(HOT)))
        .as("throughput of the others")
        .isGreaterThanOrEqualTo(0.9);
    assertThat(traffic.slowest(from, stopped, event -> !event.key().equals(HOT)))
        .as("latency of the others")
        .isLessThan(SOON);
    protocol.converged(checker.lag(stopped));
  }
}
