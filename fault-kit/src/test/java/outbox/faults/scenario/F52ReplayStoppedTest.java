package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.dead.BatchOptions;
import outbox.dead.BatchProgress;
import outbox.dead.BatchProgress.State;
import outbox.dead.StopSignal;
import outbox.faults.check.Checker;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.Switches;
import outbox.faults.world.World;

/** A replay is stopped half-way, and another one does the rest. */
class F52ReplayStoppedTest extends CalmScenario {

  private static final int KEYS = 1000;
  private static final int HALF = KEYS / 2;

  @Test
  void whatAStoppedReplayLeftStaysDeadUntilTheNextOne() throws Exception {
    replayInHalves(Mode.MULTI, KEYS);
  }

  @Test
  void keysThatAStoppedReplayLeftStayBlockedUntilTheNextOne() throws Exception {
    replayInHalves(Mode.ORDERED, 2 * KEYS);
  }

  /** In order, another event of each key waits behind the dead one. */
  private void replayInHalves(Mode mode, int events) throws Exception {
    protocol.about(
        "100 events/s for 100 keys and %,d of %,d others, 2 nodes, %s"
            .formatted(events, KEYS, mode),
        "a replay of 1,000 dead events is stopped after 500");
    World world = world();
    world.cluster().start(2, relay(world, mode));
    List<String> keys = keys("old", KEYS);
    world.switches().set(Switches.BEHAVIOUR, Behaviour.REJECT.name());
    world.accounts().open(keys, events / KEYS);
    world.awaitThat(() -> world.tables().dead() == KEYS);
    world.switches().set(Switches.BEHAVIOUR, Behaviour.DELIVER.name());
    world.cluster().start(world.writer(100, 100));

    StopSignal stop = new StopSignal();
    BatchOptions options = BatchOptions.defaults().stoppedBy(stop);
    BatchProgress first =
        F51ReplayTest.replay(world, options.reportingTo(progress -> stopAtHalf(progress, stop)));
    assertThat(first).isEqualTo(new BatchProgress(State.STOPPED, KEYS, HALF, 0));
    world.awaitThat(() -> delivered(world) == HALF);
    assertThat(world.tables().dead()).isEqualTo(KEYS - HALF);
    BatchProgress rest = F51ReplayTest.replay(world, BatchOptions.defaults());
    long replayed = System.nanoTime();
    world.settle();

    assertThat(rest).isEqualTo(new BatchProgress(State.COMPLETED, KEYS - HALF, KEYS - HALF, 0));
    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder();
    }
    protocol.converged(checker.lag(replayed));
  }

  /** How many of the events that died. */
  private static long delivered(World world) {
    return world.history().deliveries().stream()
        .map(end -> end.call().event())
        .filter(event -> event.key().startsWith("old") && event.version() == 1)
        .count();
  }

  private static void stopAtHalf(BatchProgress progress, StopSignal stop) {
    if (progress.changed() >= HALF) {
      stop.stop();
    }
  }
}
