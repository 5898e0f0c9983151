package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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

  private static final int RATE = 2000;
  private static final Duration NOTICE = Duration.ofSeconds(5);
  private static final Duration BEFORE = Duration.ofSeconds(3);

  @Test
  void claimsUnderLoadAreTakenOverInTime() throws Exception {
    kill(Mode.MULTI);
  }

  @Test
  void partitionsUnderLoadAreTakenOverInTime() throws Exception {
    kill(Mode.ORDERED);
  }

  private void kill(Mode mode) throws Exception {
    World world = world();
    NodeSettings relay = world.relay(mode).lease(Duration.ofSeconds(5));
    List<NodeProcess> nodes = world.cluster().start(3, relay);
    long start = System.nanoTime();
    world.cluster().start(2, world.writer(RATE / 2, 1000));
    world.awaitTime(start, BEFORE);
    world.awaitDeliveriesOf(nodes);

    NodeProcess victim = nodes.get(0);
    world.cluster().kill(victim);
    long killed = System.nanoTime();
    Set<String> inHands = world.inHands(victim);
    world.awaitTime(killed, relay.lease().plus(NOTICE));
    world.stopWriting();
    long rate = rate(world);
    protocol.about(
        "%d events/s for 1000 keys, 3 nodes, %s".formatted(rate, mode),
        "SIGKILL of one node with %d events in its hands, lease 5s".formatted(inHands.size()));
    world.settle();

    assertThat(rate).as("events committed per second").isGreaterThan(RATE * 9 / 10);
    Checker checker =
        judge(world)
            .nothingPending()
            .nothingDead()
            .deliveredWithin(relay.lease().plus(NOTICE), killed)
            .repeatsOnlyAmong(Map.of(victim.name(), inHands), World.UNWRITTEN);
    if (mode == Mode.ORDERED) {
      checker.inOrder().zombiesOnlyOf(Map.of(), 0);
    }
    protocol.converged(checker.lag(killed));
  }

  /** Events per second from the first commit to the last. */
  private static long rate(World world) {
    List<Entry.Committed> commits = world.history().all(Entry.Committed.class).toList();
    long events = commits.stream().mapToLong(commit -> commit.transaction().events().size()).sum();
    long nanos = commits.get(commits.size() - 1).nanos() - commits.get(0).nanos();
    return Math.round(events * 1e9 / nanos);
  }
}
