package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.node.Switches;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/**
 * A destination is away while a backlog builds, and its listener defers. When it is back it must
 * not be run over: never more calls at once than there are workers, as before, and no event is
 * asked for twice within the delay that the listener named. Nor may the outage cost attempts.
 */
class F26DestinationDownTest extends CalmScenario {

  /** What a listener asks for; the engine's shortest. */
  private static final Duration DELAY = Duration.ofSeconds(1);

  /** A node that asks the database for its time again may find that it was late by this. */
  private static final Duration TOLERANCE = Duration.ofMillis(250);

  @Test
  void backlogOfADestinationThatWasDownIsDeliveredWithoutAStampede() throws Exception {
    down(Mode.MULTI, Duration.ofSeconds(4), 300);
  }

  @Test
  void keysOfADestinationThatWasDownGoOnInOrderWithoutAStampede() throws Exception {
    down(Mode.ORDERED, Duration.ofSeconds(4), 300);
  }

  @Test
  void backlogOfAMinuteIsDeliveredWithoutAStampede() throws Exception {
    down(Mode.MULTI, Duration.ofSeconds(60), 100);
  }

  private void down(Mode mode, Duration outage, int rate) throws Exception {
    protocol.about(
        "%d events/s for 100 keys, 1 node, %s".formatted(rate, mode),
        "listeners defer for %ds".formatted(outage.toSeconds()));
    World world = world();
    NodeSettings relay = relay(world, mode).work(Duration.ofMillis(1));
    NodeProcess node = world.cluster().start(relay);
    world.cluster().start(world.writer(rate, 100));
    world.awaitDeliveriesOf(node);

    world.switches().set(Switches.BEHAVIOUR, Behaviour.DEFER.name());
    world.awaitTime(System.nanoTime(), outage);
    assertThat(world.tables().pending()).as("backlog").isGreaterThan(100);
    world.switches().set(Switches.BEHAVIOUR, Behaviour.DELIVER.name());
    long back = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    assertThat(world.tables().rows()).as("attempts").allMatch(row -> row.attempts() == 0);
    Traffic traffic = new Traffic(world.history());
    assertThat(traffic.peak(node.name())).as("calls at once").isLessThanOrEqualTo(relay.workers());
    assertThat(traffic.shortestPause())
        .as("time between two calls with an event")
        .isGreaterThan(DELAY.minus(TOLERANCE));
    protocol.converged(checker.lag(back));
  }
}
