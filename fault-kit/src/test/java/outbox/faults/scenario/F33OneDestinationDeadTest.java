package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Traffic;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.World;

/**
 * One destination of two is dead, in one of three ways. The engine promises the other one its
 * throughput where the dead one says so (it defers), and where it hangs, if it takes lists: then it
 * keeps one worker, for a destination has one list at a time. Listeners that take one event at a
 * time share the workers, so a hanging one keeps all of them until the dispatch timeout frees them;
 * then the other one gets everything, but later.
 */
class F33OneDestinationDeadTest extends CalmScenario {

  private static final Duration WINDOW = Duration.ofSeconds(4);
  private static final int EVENTS = 200;

  @Test
  @Tag(ALONE)
  void destinationThatDefersTakesNothingFromTheOther() throws Exception {
    die(Mode.MULTI, Behaviour.DEFER);
  }

  @Test
  @Tag(ALONE)
  void keysOfADestinationThatDefersTakeNothingFromTheOther() throws Exception {
    die(Mode.ORDERED, Behaviour.DEFER);
  }

  @Test
  @Tag(ALONE)
  void destinationThatHangsKeepsOneWorkerAndTakesNothingFromTheOther() throws Exception {
    die(Mode.MULTI, Behaviour.HANG);
  }

  @Test
  @Tag(ALONE)
  void keysOfADestinationThatHangsTakeNothingFromTheOther() throws Exception {
    die(Mode.ORDERED, Behaviour.HANG);
  }

  private void die(Mode mode, Behaviour behaviour) throws Exception {
    protocol.about(
        "300 events/s for 100 keys, 1 node, %s".formatted(mode),
        "%d events for a destination that can only %s".formatted(EVENTS, behaviour));
    World world = world();
    NodeSettings relay = relay(world, mode).apart(behaviour).drain(Duration.ofMillis(100));
    var node = world.cluster().start(relay);
    world.cluster().start(world.writer(300, 100));
    world.awaitDeliveriesOf(node);
    awaitCaughtUp(world, 0);

    world.accounts().open(keys(behaviour, EVENTS), 1);
    long dead = System.nanoTime();
    world.awaitTime(dead, WINDOW);
    world.stopWriting();
    long stopped = System.nanoTime();
    world.awaitThat(() -> world.tables().pending() == EVENTS);

    var checker = judge(world).nothingDead().noRepeats();
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    }
    Traffic traffic = new Traffic(world.history());
    assertThat(traffic.share(dead, dead + WINDOW.toNanos(), event -> isOther(event.key())))
        .as("throughput of the other destination")
        .isGreaterThanOrEqualTo(0.9);
    assertThat(world.history().calls())
        .as("tries of the dead one")
        .anyMatch(call -> call.event().key().startsWith(behaviour.prefix()));
    protocol.converged(checker.lag(stopped));
  }

  @Test
  void destinationThatHangsForALimitedTimeDelaysTheOtherAndLosesNothing() throws Exception {
    Duration limit = Duration.ofSeconds(2);
    protocol.about(
        "300 events/s for 100 keys, 1 node with 4 workers, MULTI",
        "12 events for a destination that hangs, dispatch timeout 2s, 2 attempts");
    World world = world();
    var node = world.cluster().start(relay(world, Mode.MULTI).dispatchTimeout(limit).attempts(2));
    world.cluster().start(world.writer(300, 100));
    world.awaitDeliveriesOf(node);

    List<String> stalling = keys(Behaviour.STALL, 12);
    world.accounts().open(stalling, 1);
    long hangs = System.nanoTime();
    world.awaitThat(() -> world.tables().dead() == stalling.size());
    world.settle();

    // Twelve events, two tries each, four at a time: that much of the workers' time is lost.
    Duration lost = limit.multipliedBy(2L * stalling.size() / 4);
    protocol.converged(
        judge(world)
            .deadAre(event -> !isOther(event.key()))
            .deliveredWithin(lost.plusSeconds(10), hangs)
            .lag(hangs));
  }

  private static boolean isOther(String key) {
    return key.startsWith("a");
  }
}
