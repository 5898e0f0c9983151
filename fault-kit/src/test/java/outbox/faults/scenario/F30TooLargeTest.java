package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.history.Entry.Event;
import outbox.faults.node.Mode;
import outbox.faults.world.World;

/** Some events are larger than the destination takes, and will always be. */
@Tag(Scenario.ALONE)
class F30TooLargeTest extends CalmScenario {

  private static final int LARGEST = 10_000;
  private static final Duration LOAD = Duration.ofSeconds(4);
  private static final Duration SOON = Duration.ofSeconds(2);

  @Test
  void eventThatIsTooLargeIsDeadAfterOneTryAndTheOthersFlow() throws Exception {
    writeTooLarge(Mode.MULTI, 0);
  }

  @Test
  void eventThatIsTooLargeBlocksItsKeyOnly() throws Exception {
    writeTooLarge(Mode.ORDERED, 20);
  }

  private void writeTooLarge(Mode mode, int blocked) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "20 keys have events of 300 kB, destination takes 10 kB");
    World world = world();
    world.cluster().start(2, relay(world, mode).largest(LARGEST));
    world.cluster().start(world.writer(200, 100));
    List<String> large = keys("large", 20);
    accounts(world, 300_000).open(large, 1);
    world.awaitThat(() -> world.tables().dead() == large.size());
    if (mode == Mode.ORDERED) {
      for (String key : large) {
        world.accounts().write(key, 1); // small enough, but behind one that is dead
      }
    }
    awaitCaughtUp(world, blocked);
    long from = System.nanoTime();
    world.awaitTime(from, LOAD);
    long stopped = System.nanoTime();
    world.settle(blocked);

    Checker checker =
        judge(world)
            .deadAre(event -> large.contains(event.key()) && event.version() == 1)
            .noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    for (String key : large) {
      assertThat(world.history().callsOn(key)).as("calls with %s", key).hasSize(1);
      assertThat(world.tables().errors(key)).singleElement().asString().contains("rejected");
    }
    Traffic traffic = new Traffic(world.history());
    assertFlowed(traffic, from, stopped, event -> !large.contains(event.key()));
    protocol.converged(checker.lag(stopped));
  }

  private static void assertFlowed(Traffic traffic, long from, long to, Predicate<Event> others) {
    assertThat(traffic.share(from, to, others))
        .as("throughput of the others")
        .isGreaterThanOrEqualTo(0.9);
    assertThat(traffic.slowest(from, to, others)).as("latency of the others").isLessThan(SOON);
  }
}
