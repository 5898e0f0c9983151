package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Row;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A process is asked to end while its queues are full. */
class F2TerminatedNodeTest extends Scenario {

  /** More than a node has in its hands at once. */
  private static final int EVENTS_PER_KEY = 50;

  private static final int KEYS = 100;

  /** So long that whoever waits for it is found out. */
  private static final Duration LEASE = Duration.ofSeconds(40);

  /** 5,000 events for four workers, with 5 ms of work each, on a busy machine. */
  private static final Duration THE_REST = Duration.ofSeconds(28);

  private static final Duration GRACE = Duration.ofSeconds(30);

  @Test
  void nodeWithTimeToDrainDeliversWhatItHasClaimed() throws Exception {
    terminate(Mode.MULTI, Duration.ofSeconds(20));
  }

  @Test
  void nodeWithTimeToDrainHandsItsPartitionsOver() throws Exception {
    terminate(Mode.ORDERED, Duration.ofSeconds(20));
  }

  @Test
  void nodeWithoutTimeToDrainGivesBackWhatItHasClaimed() throws Exception {
    terminate(Mode.MULTI, Duration.ofMillis(100));
  }

  @Test
  void nodeWithoutTimeToDrainHandsItsPartitionsOver() throws Exception {
    terminate(Mode.ORDERED, Duration.ofMillis(100));
  }

  /** It ends by itself: nothing comes twice, no attempt counts, and nobody waits for a lease. */
  private void terminate(Mode mode, Duration drain) throws Exception {
    protocol.about(
        "backlog of %d events for %d keys, %s".formatted(KEYS * EVENTS_PER_KEY, KEYS, mode),
        "SIGTERM with %d ms to drain, lease 40s".formatted(drain.toMillis()));
    World world = world();
    NodeSettings relay = relay(world, mode).lease(LEASE).drain(drain);
    NodeProcess leaving = world.cluster().start(relay);
    world.awaitThat(() -> world.history().callsOf(leaving.name()).size() > 50);

    boolean ended = world.cluster().terminate(leaving, GRACE);
    long terminated = System.nanoTime();
    assertThat(ended).as("ends by itself").isTrue();
    assertThat(world.tables().pending()).as("left for others").isPositive();
    assertThat(world.tables().claimedBy(leaving.name())).isEmpty();
    world.cluster().start(relay);
    world.settle();

    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .noRepeats()
            .deliveredWithin(LEASE.dividedBy(2), terminated);
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    }
    assertThat(world.tables().rows()).extracting(Row::attempts).containsOnly(0);
    protocol.converged(checker.lag(terminated));
  }

  @Test
  void nodeThatIsKilledWhileItDrainsIsTakenOver() throws Exception {
    Duration lease = Duration.ofSeconds(2);
    protocol.about(
        "backlog of %d events for %d keys, MULTI".formatted(KEYS * EVENTS_PER_KEY, KEYS),
        "SIGTERM, and SIGKILL after 100 ms, lease 2s");
    World world = world();
    NodeSettings relay = relay(world, Mode.MULTI).lease(lease);
    NodeProcess leaving = world.cluster().start(relay);
    world.awaitThat(() -> world.history().callsOf(leaving.name()).size() > 50);

    boolean ended = world.cluster().terminate(leaving, Duration.ofMillis(100));
    long killed = System.nanoTime();
    Set<String> inHands = world.inHands(leaving);
    assertThat(ended).isFalse();
    assertThat(world.tables().claimedBy(leaving.name())).isNotEmpty();
    world.cluster().start(relay);
    world.settle();

    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .repeatsOnlyAmong(Map.of(leaving.name(), inHands), World.UNWRITTEN)
            .deliveredWithin(lease.plus(THE_REST), killed);
    protocol.converged(checker.lag(killed));
  }

  /** What four workers deliver takes them some seconds. */
  private static NodeSettings relay(World world, Mode mode) throws Exception {
    NodeSettings relay = world.relay(mode).work(Duration.ofMillis(5)).keys("a", KEYS);
    List<String> keys = relay.keys();
    world.accounts().add(keys);
    world.accounts().write(keys, EVENTS_PER_KEY, () -> true);
    return relay;
  }
}
