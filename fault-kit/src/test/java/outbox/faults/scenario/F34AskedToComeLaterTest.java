package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Row;
import outbox.faults.check.Traffic;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.Switches;
import outbox.faults.world.World;

/** A destination answers that too much comes, and when to come again. */
class F34AskedToComeLaterTest extends CalmScenario {

  private static final Duration LATER = Duration.ofSeconds(1);

  /** A node that asks the database for its time again may find that it was late by this. */
  private static final Duration TOLERANCE = Duration.ofMillis(500);

  @Test
  void noEventComesBeforeTheTimeThatTheDestinationAskedFor() throws Exception {
    askLater(Mode.MULTI);
  }

  @Test
  void keysWaitForTheTimeThatTheDestinationAskedFor() throws Exception {
    askLater(Mode.ORDERED);
  }

  private void askLater(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 1 node that tries again after 20 ms, %s".formatted(mode),
        "destination asks for a second, for 3 s");
    World world = world();
    var node = world.cluster().start(relay(world, mode));
    world.cluster().start(world.writer(200, 100));
    world.awaitDeliveriesOf(node);

    world.switches().set(Switches.BEHAVIOUR, Behaviour.ASK_LATER.name());
    world.awaitTime(System.nanoTime(), Duration.ofSeconds(3));
    world.switches().set(Switches.BEHAVIOUR, Behaviour.DELIVER.name());
    long calm = System.nanoTime();
    world.stopWriting();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    assertThat(new Traffic(world.history()).shortestPause())
        .as("time between two calls with an event")
        .isGreaterThan(LATER.minus(TOLERANCE));
    assertThat(world.tables().rows()).extracting(Row::attempts).anyMatch(tries -> tries > 1);
    checker.deliveredWithin(LATER.plusSeconds(10), calm);
    protocol.converged(checker.lag(calm));
  }
}
