package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.world.World;

/** A destination takes lists, and refuses some of a list now and some for good. */
class F29PartOfABatchRefusedTest extends CalmScenario {

  private static final Duration LOAD = Duration.ofSeconds(2);

  @Test
  void onlyTheRefusedPartOfABatchComesAgain() throws Exception {
    refuse(Mode.MULTI);
  }

  @Test
  void refusedPartOfABatchHoldsUpItsKeysOnly() throws Exception {
    refuse(Mode.ORDERED);
  }

  private void refuse(Mode mode) throws Exception {
    protocol.about(
        "300 events/s for 100 keys and 20 for others, 2 nodes, %s".formatted(mode),
        "a third of each list is refused, the others' keys for good");
    World world = world();
    world.cluster().start(2, relay(world, mode).batches().failing(33).work(Duration.ofMillis(1)));
    world.cluster().start(world.writer(300, 100));
    List<String> hopeless = keys(Behaviour.REJECT, 20);
    world.accounts().open(hopeless, 1);
    world.awaitTime(System.nanoTime(), LOAD);
    long stopped = System.nanoTime();
    world.settle();

    Checker checker =
        judge(world).nothingPending().deadAre(event -> hopeless.contains(event.key())).noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    assertThat(new Traffic(world.history()).longestList()).as("longest list").isGreaterThan(1);
    assertThat(checker.calls()).as("calls").isGreaterThan((int) checker.written());
    protocol.converged(checker.lag(stopped));
  }
}
