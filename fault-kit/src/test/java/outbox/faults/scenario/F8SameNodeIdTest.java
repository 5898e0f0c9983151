package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** Two nodes have the same id, as containers do that were configured by copying. */
class F8SameNodeIdTest extends Scenario {

  private static final String TWIN = "twin";

  /** So long that whoever waits for it is found out. */
  private static final Duration LONG = Duration.ofSeconds(30);

  private static final Duration SHORT = Duration.ofSeconds(5);
  private static final Duration NOTICE = Duration.ofSeconds(5);

  @Test
  void twinsShareTheWorkAsOthersDo() throws Exception {
    shareAndLeave(Mode.MULTI);
  }

  @Test
  void twinsShareThePartitionsAsOthersDo() throws Exception {
    shareAndLeave(Mode.ORDERED);
  }

  @Test
  void twinTakesOverFromAKilledOne() throws Exception {
    shareAndDie(Mode.MULTI);
  }

  @Test
  void twinTakesOverThePartitionsOfAKilledOne() throws Exception {
    shareAndDie(Mode.ORDERED);
  }

  private void shareAndLeave(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "same node id, one closes, lease 30s");
    World world = world();
    NodeSettings relay = world.relay(mode).lease(LONG).work(Duration.ofMillis(2));
    List<NodeProcess> twins = twins(world, relay);

    world.cluster().shutDown(twins.get(1));
    long left = System.nanoTime();
    world.awaitDeliveriesOf(twins.get(0));
    world.settle();

    judgeTwins(world, mode, left, NOTICE.multipliedBy(2)).noRepeats();
  }

  private void shareAndDie(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "same node id, one is killed, lease 5s");
    World world = world();
    NodeSettings relay = world.relay(mode).lease(SHORT).work(Duration.ofMillis(2));
    List<NodeProcess> twins = twins(world, relay);

    NodeProcess victim = twins.get(1);
    world.cluster().kill(victim);
    long killed = System.nanoTime();
    Set<String> inHands = world.inHands(victim);
    world.awaitDeliveriesOf(twins.get(0));
    world.settle();

    judgeTwins(world, mode, killed, SHORT.plus(NOTICE))
        .repeatsOnlyAmong(Map.of(victim.name(), inHands));
  }

  /** Both deliver. */
  private static List<NodeProcess> twins(World world, NodeSettings relay) throws Exception {
    NodeProcess one = world.cluster().startAs(TWIN, relay);
    NodeProcess other = world.cluster().startAs(TWIN, relay);
    if (relay.mode() == Mode.ORDERED) {
      world.awaitThat(() -> world.tables().owners() == 2);
      assertThat(world.tables().sessions(TWIN)).hasSize(2);
    }
    world.cluster().start(world.writer(200, 100));
    world.awaitDeliveriesOf(List.of(one, other));
    return List.of(one, other);
  }

  private Checker judgeTwins(World world, Mode mode, long since, Duration bound) throws Exception {
    Checker checker = judge(world).nothingPending().nothingDead().deliveredWithin(bound, since);
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    }
    protocol.converged(checker.lag(since));
    return checker;
  }
}
