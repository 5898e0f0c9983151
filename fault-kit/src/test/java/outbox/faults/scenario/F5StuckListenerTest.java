package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Traffic;
import outbox.faults.history.Entry.Event;
import outbox.faults.node.Behaviour;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A listener never returns, whatever is asked of it. */
class F5StuckListenerTest extends Scenario {

  private static final String STUCK = Behaviour.HANG.prefix() + 1;
  private static final String IGNORES = "listener ignores the interrupt";
  private static final Duration LEASE = Duration.ofSeconds(5);

  /** Longer than a busy machine keeps a listener waiting that does nothing. */
  private static final Duration LIMIT = Duration.ofSeconds(2);

  /** Whoever waits for a lease takes longer. */
  private static final Duration SOON = LEASE;

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

  /** With two workers, so that a second one lost is the end, and for more than two leases. */
  private World stuck(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 50 keys, a node with 2 workers, %s".formatted(mode),
        "a listener ignores its interrupt for ever, dispatch timeout 2s, lease 5s");
    World world = world();
    NodeSettings relay =
        world
            .relay(mode)
            .workers(2)
            .lease(LEASE)
            .dispatchTimeout(LIMIT)
            .drain(Duration.ofSeconds(1));
    NodeProcess node = world.cluster().start(relay);
    world.accounts().add(List.of(STUCK));
    world.accounts().write(STUCK, 1);
    world.cluster().start(world.writer(200, 50));
    world.awaitThat(() -> world.cluster().log(node).contains(IGNORES));

    long reported = System.nanoTime();
    world.awaitTime(reported, LEASE.multipliedBy(5).dividedBy(2));
    long stopping = System.nanoTime();
    world.stopWriting();
    world.awaitThat(() -> world.tables().pending() == 1);
    assertThat(world.cluster().log(node)).containsOnlyOnce(IGNORES);
    world.cluster().shutDown(node);
    assertThat(world.cluster().log(node)).contains("stillRunning=1");
    assertThat(world.history().callsOn(STUCK)).hasSize(1);
    assertThat(world.tables().rows(STUCK)).allMatch(row -> row.isPending());
    assertThat(new Traffic(world.history()).slowest(reported, stopping, F5StuckListenerTest::flows))
        .as("latency of the others")
        .isLessThan(SOON);
    protocol.converged(world.check().deliveredWithin(SOON, stopping).lag(stopping));
    return world;
  }

  private static boolean flows(Event event) {
    return !event.key().equals(STUCK);
  }

  private Checker judgeStuck(World world) throws Exception {
    return judge(world).nothingDead().noRepeats();
  }
}
