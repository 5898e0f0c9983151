package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.world.World;

/** A key with a great many events is blocked by the first of them, in front of everything else. */
@Tag(Scenario.ALONE)
class F40BlockedKeyTest extends CalmScenario {

  private static final Duration WINDOW = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final int ROWS = 100_000;

  @Test
  void rowsOfABlockedKeyTakeNothingFromTheOthers() throws Exception {
    protocol.about(
        "300 events/s for 100 keys, 1 node, ORDERED",
        "%,d events of one blocked key in front of them".formatted(ROWS));
    World world = world();
    String blocked = Behaviour.REJECT.prefix() + 0;
    world.accounts().open(List.of(blocked), ROWS);
    var node = world.cluster().start(relay(world, Mode.ORDERED));
    world.awaitThat(() -> world.tables().dead() == 1);
    world.cluster().start(world.writer(300, 100));
    world.awaitDeliveriesOf(node);

    awaitCaughtUp(world, ROWS - 1);
    long from = System.nanoTime();
    world.awaitTime(from, WINDOW);
    long stopped = System.nanoTime();
    world.settle(ROWS - 1);

    Checker checker =
        judge(world)
            .deadAre(event -> event.key().equals(blocked) && event.version() == 1)
            .noRepeats()
            .inOrder();
    Traffic traffic = new Traffic(world.history());
    assertThat(traffic.share(from, stopped, event -> !event.key().equals(blocked)))
        .as("throughput of the others")
        .isGreaterThanOrEqualTo(0.9);
    assertThat(traffic.slowest(from, stopped, event -> !event.key().equals(blocked)))
        .as("latency of the others")
        .isLessThan(SOON);
    assertThat(world.history().callsOn(blocked)).as("calls with the blocked key").hasSize(1);
    protocol.converged(checker.lag(stopped));
  }
}
