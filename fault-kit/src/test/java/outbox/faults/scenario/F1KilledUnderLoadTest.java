package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.history.Entry;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/**
 * One of three nodes is killed under 2,000 events a second: what was committed before is delivered
 * within lease and five seconds, and nothing comes again but what that node had in its hands.
 */
@Tag(Scenario.ALONE)
class F1KilledUnderLoadTest extends Scenario {

  private static final int NODES = 3;
  private static final int RATE = 2000;
  private static final int ENOUGH = RATE * 9 / 10;
  private static final int KEYS = 1000;
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration NOTICE = Duration.ofSeconds(5);
  private static final Duration BEFORE = Duration.ofSeconds(3);

  /** What is missing of the load while processes start is made up for by then. */
  private static final Duration LONGEST_BEFORE = Duration.ofSeconds(10);

  @Test
  void claimsUnderLoadAreTakenOverInTime() throws Exception {
    kill(Mode.MULTI, F1KilledUnderLoadTest::writtenByOthers);
  }

  @Test
  void partitionsUnderLoadAreTakenOverInTime() throws Exception {
    kill(Mode.ORDERED, F1KilledUnderLoadTest::writtenByOthers);
  }

  @Test
  void claimsOfNodesThatWriteUnderLoadAreTakenOverInTime() throws Exception {
    World world = kill(Mode.MULTI, F1KilledUnderLoadTest::writtenByThemselves);

    assertThat(ownShare(world)).as("delivered by who wrote it").isGreaterThan(0.5);
  }

  @Test
  void partitionsOfNodesThatWriteUnderLoadAreTakenOverInTime() throws Exception {
    kill(Mode.ORDERED, F1KilledUnderLoadTest::writtenByThemselves);
  }

  /** Who writes what the nodes deliver. */
  private interface Load {
    List<NodeProcess> start(World world, NodeSettings relay) throws Exception;
  }

  private static List<NodeProcess> writtenByOthers(World world, NodeSettings relay)
      throws Exception {
    List<NodeProcess> nodes = world.cluster().start(NODES, relay);
    world.cluster().start(2, world.writer(RATE / 2, KEYS));
    return nodes;
  }

  /** Each for as long as the scenario takes. */
  private static List<NodeProcess> writtenByThemselves(World world, NodeSettings relay)
      throws Exception {
    int rate = RATE / NODES + 1;
    int events = (int) (rate * BEFORE.plus(LEASE).plus(NOTICE).toSeconds());
    NodeSettings node = relay.keys("a", KEYS).rate(rate).events(events);
    world.accounts().add(node.keys());
    return world.cluster().start(NODES, node);
  }

  private World kill(Mode mode, Load load) throws Exception {
    World world = world();
    NodeSettings relay = world.relay(mode).lease(LEASE);
    List<NodeProcess> nodes = load.start(world, relay);
    awaitLoad(world, System.nanoTime());
    world.awaitDeliveriesOf(nodes);

    NodeProcess victim = nodes.get(0);
    world.cluster().kill(victim);
    long killed = System.nanoTime();
    Set<String> inHands = world.inHands(victim);
    world.awaitTime(killed, LEASE.plus(NOTICE));
    long rate = rate(world, endOfLoad(world, nodes, killed));
    protocol.about(
        "%d events/s for 1000 keys, 3 nodes%s, %s"
            .formatted(rate, writes(victim) ? " that write and deliver" : "", mode),
        "SIGKILL of one node with %d events in its hands, lease 5s".formatted(inHands.size()));
    world.settle();

    assertThat(rate).as("events committed per second").isGreaterThan(ENOUGH);
    assertThat(world.history().lostLeases()).as("leases that nodes lost by themselves").isEmpty();
    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .deliveredWithin(LEASE.plus(NOTICE), killed)
            .repeatsOnlyAmong(Map.of(victim.name(), inHands));
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    }
    protocol.converged(checker.lag(killed));
    return world;
  }

  private static void awaitLoad(World world, long start) {
    world.awaitTime(start, BEFORE);
    world.awaitThat(
        () ->
            rate(world, System.nanoTime()) > ENOUGH
                || System.nanoTime() - start > LONGEST_BEFORE.toNanos());
  }

  private static boolean writes(NodeProcess node) {
    return node.settings().rate() > 0;
  }

  /** Lets writers end; returns until when all of them were there. */
  private static long endOfLoad(World world, List<NodeProcess> nodes, long killed) {
    if (writes(nodes.get(0))) {
      nodes.subList(1, NODES).forEach(NodeProcess::awaitWritten);
      return killed;
    }
    world.stopWriting();
    return System.nanoTime();
  }

  /** How much of what was delivered came from the node that had written it. */
  private static double ownShare(World world) {
    Map<String, String> writers = new HashMap<>();
    world
        .history()
        .all(Entry.Committed.class)
        .map(Entry.Committed::transaction)
        .forEach(tx -> tx.events().forEach(event -> writers.put(event.id(), tx.process())));
    List<Entry.Ends> deliveries = world.history().deliveries();
    long own =
        deliveries.stream()
            .map(Entry.Ends::call)
            .filter(call -> call.process().equals(writers.get(call.event().id())))
            .count();
    return (double) own / deliveries.size();
  }

  /** Events per second from the first commit to the last one until then. */
  private static long rate(World world, long until) {
    List<Entry.Committed> commits =
        world
            .history()
            .all(Entry.Committed.class)
            .filter(commit -> commit.nanos() - until <= 0)
            .toList();
    long events = commits.stream().mapToLong(commit -> commit.transaction().events().size()).sum();
    long nanos = commits.get(commits.size() - 1).nanos() - commits.get(0).nanos();
    return Math.round(events * 1e9 / nanos);
  }
}
