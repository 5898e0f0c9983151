package outbox.faults.scenario;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NetworkProxy;
import outbox.faults.world.World;

/** Every message between nodes and database takes its time. */
class N1SlowNetworkTest extends DatabaseScenario {

  /** Taking half of the partitions, in five messages and answers each, takes nearly a lease. */
  private static final int PARTITIONS = 32;

  private static final Duration LEASE = Duration.ofSeconds(10);

  @Test
  void slowNetworkCostsTimeAndNoClaims() throws Exception {
    slowDown(Mode.MULTI);
  }

  @Test
  void slowNetworkCostsTimeAndNoPartitions() throws Exception {
    slowDown(Mode.ORDERED);
  }

  private void slowDown(Mode mode) throws Exception {
    protocol.about(
        "up to 200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "50ms of latency in each direction");
    World world = world();
    try (NetworkProxy network = new NetworkProxy(world.database().url())) {
      network.slowDown(Duration.ofMillis(50));
      NodeSettings node = world.relay(mode).url(network.url()).lease(LEASE).partitions(PARTITIONS);
      everySecond(world, node, Duration.ofSeconds(3), () -> {}).noRepeats();
    }
  }
}
