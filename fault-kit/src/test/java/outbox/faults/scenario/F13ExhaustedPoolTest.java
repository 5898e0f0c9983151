package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.check.Excuses;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.node.Switches;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** The application of one node takes every connection of the pool that the engine shares. */
class F13ExhaustedPoolTest extends DatabaseScenario {

  /** Longer than a lease and than a pool makes those wait who ask it. */
  private static final Duration HOARDING = Duration.ofSeconds(10);

  @Test
  void claimsOfANodeWithoutConnectionsAreTakenOver() throws Exception {
    exhaust(Mode.MULTI);
  }

  @Test
  void partitionsOfANodeWithoutConnectionsAreTakenOver() throws Exception {
    exhaust(Mode.ORDERED);
  }

  private void exhaust(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "the pool of one node exhausted for 10s, lease 5s");
    World world = world();
    NodeSettings relay = world.relay(mode).work(Duration.ofMillis(2));
    List<NodeProcess> nodes = world.cluster().start(2, relay);
    NodeSettings writer = world.writer(200, 100);
    world.cluster().start(writer);
    world.awaitDeliveriesOf(nodes);

    NodeProcess poor = nodes.get(0);
    int most = mostUnwritten(world, writer);
    world.switches().set(Switches.HOARD, poor.name());
    long begin = System.nanoTime();
    world.awaitTime(begin, HOARDING);
    world.switches().set(Switches.HOARD, "");
    long end = System.nanoTime();
    world.awaitDeliveriesOf(poor);

    Checker checker =
        verdict(world, mode)
            .deliveredWithin(relay.lease().plus(NOTICE), begin)
            .repeatsOnlyFor(
                new Excuses()
                    .outage(
                        Set.of(poor.name()),
                        begin - relay.lease().toNanos(),
                        end + relay.lease().toNanos(),
                        most));
    assertThat(world.cluster().log(poor))
        .as("log of the node without connections")
        .contains("Connection is not available, request timed out");
    protocol.converged(checker.lag(begin));
  }
}
