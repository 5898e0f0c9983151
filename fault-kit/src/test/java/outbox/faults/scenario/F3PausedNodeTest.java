package outbox.faults.scenario;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A node that holds leases stands still for longer than they last, and goes on. */
class F3PausedNodeTest extends Scenario {

  /** What a successor needs besides the lease: to notice, to read and to deliver. */
  private static final Duration NOTICE = Duration.ofSeconds(5);

  private static final int WORKERS = 4;

  /** Longer than others may take: who waits for its end is found out. */
  private static final Duration SHORT = Duration.ofSeconds(12);

  /** Two nodes of three deliver four times what is written: they have to catch up, too. */
  private static final Duration WORK = Duration.ofMillis(10);

  @Test
  void claimsOfAPausedNodeAreTakenOverAndItChangesNothingAnyMore() throws Exception {
    pause(Mode.MULTI, SHORT);
  }

  @Test
  @Tag(QUICK)
  void partitionsOfAPausedNodeAreTakenOverAndItChangesNothingAnyMore() throws Exception {
    pause(Mode.ORDERED, SHORT);
  }

  @Test
  void claimsOfANodePausedForAMinuteAreTakenOver() throws Exception {
    pause(Mode.MULTI, Duration.ofSeconds(60));
  }

  @Test
  void partitionsOfANodePausedForAMinuteAreTakenOver() throws Exception {
    pause(Mode.ORDERED, Duration.ofSeconds(60));
  }

  private void pause(Mode mode, Duration pause) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 3 nodes, %s".formatted(mode),
        "SIGSTOP of one node for %ds, lease 5s".formatted(pause.toSeconds()));
    World world = world();
    NodeSettings relay = world.relay(mode).workers(WORKERS).work(WORK);
    List<NodeProcess> nodes = world.cluster().start(3, relay);
    world.cluster().start(world.writer(200, 100));
    world.awaitDeliveriesOf(nodes);

    NodeProcess zombie = nodes.get(0);
    world.cluster().pause(zombie);
    long paused = System.nanoTime();
    Set<String> inHands = world.inHands(zombie);
    world.awaitTime(paused, pause);
    zombie.resume();
    world.awaitDeliveriesOf(zombie);
    world.settle();

    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .deliveredWithin(relay.lease().plus(NOTICE), paused);
    Set<String> begun = begunLate(world, zombie, checker, inHands);
    assertThat(begun).as("begun by workers that stood still").hasSizeLessThanOrEqualTo(WORKERS);
    checker.repeatsOnlyAmong(excused(nodes, inHands, begun));
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(world.cluster().pauses(), WORKERS);
    }
    protocol.converged(checker.lag(paused));
  }

  /**
   * What came again though its call was not begun when the node stood still: a worker that has seen
   * that the event is its own, and nothing else of it yet, begins when it goes on.
   */
  private static Set<String> begunLate(
      World world, NodeProcess zombie, Checker checker, Set<String> inHands) {
    Set<String> repeated =
        checker.repeats().stream().map(call -> call.event().id()).collect(toSet());
    return world.history().callsOf(zombie.name()).stream()
        .map(call -> call.event().id())
        .filter(id -> repeated.contains(id) && !inHands.contains(id))
        .collect(toSet());
  }

  /** Whoever began first; only what the zombie had in its hands may have been begun by it alone. */
  private static Map<String, Set<String>> excused(
      List<NodeProcess> nodes, Set<String> inHands, Set<String> begunLate) {
    Map<String, Set<String>> excused = new HashMap<>();
    nodes.forEach(node -> excused.put(node.name(), begunLate));
    Set<String> zombies = new HashSet<>(inHands);
    zombies.addAll(begunLate);
    excused.put(nodes.get(0).name(), zombies);
    return excused;
  }
}
