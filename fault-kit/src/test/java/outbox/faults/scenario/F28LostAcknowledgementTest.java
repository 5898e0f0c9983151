package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.world.World;

/** A destination takes an event and its answer is lost: that event comes again, and no other. */
class F28LostAcknowledgementTest extends CalmScenario {

  private static final Duration LOAD = Duration.ofSeconds(3);

  @Test
  void onlyEventsWhoseAnswerWasLostComeAgain() throws Exception {
    loseAnswers(Mode.MULTI);
  }

  @Test
  void eventWhoseAnswerWasLostComesAgainBeforeItsSuccessors() throws Exception {
    loseAnswers(Mode.ORDERED);
  }

  private void loseAnswers(Mode mode) throws Exception {
    protocol.about(
        "300 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "every tenth answer of the destination is lost");
    World world = world();
    world.cluster().start(2, relay(world, mode).forgetting(10));
    world.cluster().start(world.writer(300, 100));
    world.awaitTime(System.nanoTime(), LOAD);
    long stopped = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().repeatsOnlyOfForgotten();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    assertThat(checker.repeats()).as("events that came again").isNotEmpty();
    protocol.converged(checker.lag(stopped));
  }
}
