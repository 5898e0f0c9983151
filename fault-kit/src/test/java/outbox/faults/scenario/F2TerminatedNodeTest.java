package outbox.faults.scenario;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Row;
import outbox.faults.history.Entry;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** A process is asked to end while its queues are full. */
class F2TerminatedNodeTest extends Scenario {

  /** So many that a node has four seconds of work with one event of each. */
  private static final int KEYS = 800;

  /** All together more than a node has in its hands at once. */
  private static final int EVENTS_PER_KEY = 3;

  /** When it has delivered so many, it has taken all that there is room for. */
  private static final int SOME = 100;

  /** So long that whoever waits for it is found out. */
  private static final Duration LEASE = Duration.ofSeconds(90);

  private static final Duration WORK = Duration.ofMillis(20);

  /** 2,400 events for four workers, on a busy machine. */
  private static final Duration THE_REST = Duration.ofSeconds(40);

  private static final Duration GRACE = Duration.ofSeconds(55);
  private static final Duration TIME = Duration.ofSeconds(50);
  private static final Duration NO_TIME = Duration.ofMillis(100);

  @Test
  void nodeWithTimeToDrainDeliversWhatItHasClaimed() throws Exception {
    assertThat(terminate(Mode.MULTI, TIME)).as("given back").isEmpty();
  }

  @Test
  void nodeWithTimeToDrainDeliversWhatItHasBegunAndHandsItsPartitionsOver() throws Exception {
    assertThat(terminate(Mode.ORDERED, TIME)).as("given back").isEmpty();
  }

  @Test
  void nodeWithoutTimeToDrainGivesBackWhatItHasClaimed() throws Exception {
    assertThat(terminate(Mode.MULTI, NO_TIME)).as("given back").isNotEmpty();
  }

  @Test
  void nodeWithoutTimeToDrainHandsItsPartitionsOver() throws Exception {
    assertThat(terminate(Mode.ORDERED, NO_TIME)).as("given back").isNotEmpty();
  }

  /**
   * It ends by itself: nothing comes twice, no attempt counts, and nobody waits for a lease.
   * Returns what it had taken before it was asked to end, and left to others.
   */
  private Set<String> terminate(Mode mode, Duration drain) throws Exception {
    protocol.about(
        "backlog of %d events for %d keys, %s".formatted(KEYS * EVENTS_PER_KEY, KEYS, mode),
        "SIGTERM with %d ms to drain, lease 90s".formatted(drain.toMillis()));
    World world = world();
    NodeSettings relay = relay(world, mode).lease(LEASE).drain(drain);
    NodeProcess leaving = world.cluster().start(relay);
    world.awaitThat(() -> world.history().callsOf(leaving.name()).size() > SOME);
    Set<String> taken = taken(world, leaving);
    world.awaitDeliveriesOf(leaving); // meanwhile what was just claimed comes to its queue

    boolean ended = world.cluster().terminate(leaving, GRACE);
    long terminated = System.nanoTime();
    assertThat(ended).as("ends by itself").isTrue();
    assertThat(world.tables().pending()).as("left for others").isPositive();
    assertThat(world.tables().claimedBy(leaving.name())).isEmpty();
    if (mode == Mode.ORDERED) {
      assertThat(world.tables().sessions(leaving.name())).isEmpty();
      assertThat(world.tables().owners()).as("owners of partitions").isZero();
    }
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
    return without(taken, deliveredBy(world, leaving));
  }

  /**
   * What a node has claimed. With order the table doesn't tell, but the first event of each key has
   * been in its queue since it was read.
   */
  private static Set<String> taken(World world, NodeProcess node) {
    Set<String> taken =
        node.settings().mode() == Mode.ORDERED
            ? world.tables().rows().stream()
                .filter(row -> row.isPending() && row.event().version() == 1)
                .map(row -> row.event().id())
                .collect(toSet())
            : Set.copyOf(world.tables().claimedBy(node.name()));
    assertThat(taken).as("taken").hasSizeGreaterThan(SOME);
    return taken;
  }

  private static Set<String> deliveredBy(World world, NodeProcess node) {
    return world.history().deliveries().stream()
        .map(Entry.Ends::call)
        .filter(call -> call.process().equals(node.name()))
        .map(call -> call.event().id())
        .collect(toSet());
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    return all.stream().filter(id -> !some.contains(id)).collect(toSet());
  }

  @Test
  void nodeThatIsKilledWhileItDrainsIsTakenOver() throws Exception {
    protocol.about(
        "backlog of %d events for %d keys, MULTI".formatted(KEYS * EVENTS_PER_KEY, KEYS),
        "SIGTERM, and SIGKILL after 100 ms, lease 5s");
    World world = world();
    NodeSettings relay = relay(world, Mode.MULTI);
    NodeProcess leaving = world.cluster().start(relay);
    world.awaitThat(() -> world.history().callsOf(leaving.name()).size() > SOME);

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
            .repeatsOnlyAmong(Map.of(leaving.name(), inHands))
            .deliveredWithin(relay.lease().plus(THE_REST), killed);
    protocol.converged(checker.lag(killed));
  }

  /** What four workers deliver takes them some seconds; the first of each key come first. */
  private static NodeSettings relay(World world, Mode mode) throws Exception {
    NodeSettings relay = world.relay(mode).work(WORK).keys("a", KEYS);
    List<String> keys = relay.keys();
    world.accounts().open(keys, 1);
    world.accounts().write(keys, EVENTS_PER_KEY - 1, () -> true);
    return relay;
  }
}
