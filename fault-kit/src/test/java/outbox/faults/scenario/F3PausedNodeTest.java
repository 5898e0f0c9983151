package outbox.faults.scenario;

import java.time.Duration;
import java.util.List;
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

  @Test
  void claimsOfAPausedNodeAreTakenOverAndItChangesNothingAnyMore() throws Exception {
    pause(Mode.MULTI, Duration.ofSeconds(8));
  }

  @Test
  @Tag(QUICK)
  void partitionsOfAPausedNodeAreTakenOverAndItChangesNothingAnyMore() throws Exception {
    pause(Mode.ORDERED, Duration.ofSeconds(8));
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
        "300 events/s for 100 keys, 3 nodes, %s".formatted(mode),
        "SIGSTOP of one node for %ds, lease 3s".formatted(pause.toSeconds()));
    World world = world();
    NodeSettings relay = world.relay(mode).work(Duration.ofMillis(5));
    List<NodeProcess> nodes = world.cluster().start(3, relay);
    world.cluster().start(world.writer(300, 100));
    world.awaitDeliveriesOf(nodes);

    NodeProcess zombie = nodes.get(0);
    world.cluster().pause(zombie);
    long paused = System.nanoTime();
    world.awaitTime(paused, pause);
    zombie.resume();
    world.awaitDeliveriesOf(zombie);
    world.settle();

    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .deliveredWithin(relay.lease().plus(NOTICE), paused)
            .repeatsOnlyOf(world.cluster().losses(), World.UNWRITTEN);
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(world.cluster().pauses(), relay.workers());
    }
    protocol.converged(checker.lag(paused));
  }
}
