package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** One node becomes eight and one again within a minute, and nothing comes twice. */
class F7NodesComeAndGoTest extends Scenario {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  @Tag(ALONE)
  void nodesThatComeAndGoDeliverEverythingOnce() throws Exception {
    comeAndGo(Mode.MULTI);
  }

  @Test
  @Tag(ALONE)
  void nodesThatComeAndGoDeliverEverythingOnceAndInOrder() throws Exception {
    comeAndGo(Mode.ORDERED);
  }

  @Test
  void partitionsChangeHandsWhenWhatIsBeingDeliveredHasEnded() throws Exception {
    protocol.about(
        "backlog of 180 events of 60 keys, listeners of 200ms, ORDERED", "a second node");
    World world = world();
    NodeSettings relay =
        world.relay(Mode.ORDERED).lease(LEASE).work(Duration.ofMillis(200)).keys("a", 60);
    world.accounts().add(relay.keys());
    world.accounts().write(relay.keys(), 3, () -> true);
    NodeProcess first = world.cluster().start(relay);
    world.awaitDeliveriesOf(first);
    NodeProcess second = world.cluster().start(relay);
    world.awaitDeliveriesOf(second);
    long shared = System.nanoTime();
    world.settle();

    Checker checker = judge(world).nothingPending().nothingDead().noRepeats();
    checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    protocol.converged(checker.lag(shared));
  }

  private void comeAndGo(Mode mode) throws Exception {
    protocol.about(
        "500 events/s for 200 keys, 5 of 100 calls fail, %s".formatted(mode),
        "1, 8 and again 1 node, lease 30s");
    World world = world();
    NodeSettings relay =
        world.relay(mode).lease(LEASE).failing(5).work(Duration.ofMillis(1)).heap(64);
    NodeProcess stays = world.cluster().start(relay);
    world.cluster().start(world.writer(500, 200));
    world.awaitDeliveriesOf(stays);

    long grows = System.nanoTime();
    List<NodeProcess> passing = world.cluster().start(7, relay);
    world.awaitDeliveriesOf(passing);
    passing.forEach(world.cluster()::shutDown);
    long alone = System.nanoTime();
    world.awaitDeliveriesOf(stays);
    world.settle();

    assertThat(Duration.ofNanos(alone - grows)).as("1, 8 and again 1").isLessThan(MINUTE);
    Checker checker =
        judge(world).nothingPending().nothingDead().noRepeats().deliveredWithin(SOON, alone);
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    }
    protocol.converged(checker.lag(alone));
  }
}
