package outbox.faults.scenario;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NetworkProxy;
import outbox.faults.world.World;

/** The network resets every connection, again and again, in the middle of commits too. */
class N2CutConnectionsTest extends DatabaseScenario {

  /** Most of the time something is under way when connections are cut. */
  private static final Duration LATENCY = Duration.ofMillis(2);

  private static final Duration LEASE = Duration.ofSeconds(8);

  /** So long that a lease which nobody can renew ends meanwhile. */
  private static final Duration TIME = Duration.ofSeconds(12);

  @Test
  void whatWasCommittedUnknownToItsWriterIsDeliveredOnce() throws Exception {
    cut(Mode.MULTI);
  }

  @Test
  void whatWasCommittedUnknownToItsWriterIsDeliveredInOrder() throws Exception {
    cut(Mode.ORDERED);
  }

  private void cut(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "all connections reset every second for 12s, lease 8s, 2ms of latency");
    World world = world();
    try (NetworkProxy network = new NetworkProxy(world.database().url())) {
      network.slowDown(LATENCY);
      NodeSettings node = world.relay(mode).url(network.url()).lease(LEASE);
      everySecond(world, node, TIME, network::cut).noRepeats();
    }
  }
}
