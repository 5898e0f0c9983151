package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.world.World;

/** Nodes delete what they delivered a moment ago, while they deliver. */
class F53PurgeTest extends CalmScenario {

  private static final Duration LOAD = Duration.ofSeconds(4);
  private static final List<String> HOPELESS = keys(Behaviour.REJECT, 20);

  @Test
  void purgeTakesNothingButWhatWasDelivered() throws Exception {
    purge(Mode.MULTI);
  }

  @Test
  void purgeTakesNothingOfOrderedEventsButWhatWasDelivered() throws Exception {
    purge(Mode.ORDERED);
  }

  private void purge(Mode mode) throws Exception {
    protocol.about(
        "300 events/s for 100 keys, 2 nodes that refuse a tenth, %s".formatted(mode),
        "both nodes purge every second what ended 100 ms ago");
    World world = world();
    world.cluster().start(2, relay(world, mode).failing(10).purgeAfter(Duration.ofMillis(100)));
    world.accounts().open(HOPELESS, 1);
    world.cluster().start(world.writer(300, 100));
    world.awaitTime(System.nanoTime(), LOAD);
    long stopped = System.nanoTime();
    world.stopWriting();
    world.awaitDelivered();
    world.awaitThat(() -> world.tables().rows().size() == HOPELESS.size());
    world.settle();

    Checker checker =
        new Checker(world.history(), world.tables().rows())
            .nothingLost()
            .nothingInvented()
            .conserved(world.accounts().versions())
            .deadAre(event -> HOPELESS.contains(event.key()))
            .noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    assertThat(checker.written()).as("written").isGreaterThan(100);
    protocol.judged(checker);
    protocol.converged(checker.lag(stopped));
  }
}
