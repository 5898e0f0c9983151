package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A listener never returns, whatever is asked of it. */
class F5StuckListenerTest extends Scenario {

  private static final String STUCK = Behaviour.HANG.prefix() + 1;
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofSeconds(2);

  @Test
  void stuckListenerCostsOneWorkerAndTheOthersGoOn() throws Exception {
    World world = stuck(Mode.MULTI);

    judgeStuck(world);
  }

  @Test
  void stuckListenerCostsOneWorkerAndHoldsUpItsKeyOnly() throws Exception {
    World world = stuck(Mode.ORDERED);

    judgeStuck(world).inOrder().zombiesOnlyOf(Map.of(), 0);
  }

  /** With two workers, so that a second one lost is the end, and for some leases. */
  private World stuck(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 50 keys, a node with 2 workers, %s".formatted(mode),
        "a listener ignores its interrupt for ever, dispatch timeout 0.5s, lease 1s");
    World world = world();
    NodeSettings relay =
        world
            .relay(mode)
            .workers(2)
            .lease(LEASE)
            .dispatchTimeout(Duration.ofMillis(500))
            .drain(Duration.ofSeconds(1));
    NodeProcess node = world.cluster().start(relay);
    world.accounts().add(List.of(STUCK));
    world.accounts().write(STUCK, 1);
    world.cluster().start(world.writer(200, 50));
    world.awaitThat(() -> !world.history().callsOn(STUCK).isEmpty());

    world.awaitTime(System.nanoTime(), LEASE.multipliedBy(5));
    long stopping = System.nanoTime();
    world.stopWriting();
    world.awaitThat(() -> world.tables().pending() == 1);
    assertThat(world.cluster().log(node)).containsOnlyOnce("listener ignores the interrupt");
    world.cluster().shutDown(node);
    assertThat(world.cluster().log(node)).contains("stillRunning=1");
    assertThat(world.history().callsOn(STUCK)).hasSize(1);
    assertThat(world.tables().rows(STUCK)).allMatch(row -> row.isPending());
    protocol.converged(world.check().deliveredWithin(SOON, stopping).lag(stopping));
    return world;
  }

  private Checker judgeStuck(World world) throws Exception {
    return judge(world).nothingDead().noRepeats();
  }
}
