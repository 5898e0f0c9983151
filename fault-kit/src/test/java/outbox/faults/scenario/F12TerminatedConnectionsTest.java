package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Operator;
import outbox.faults.world.World;

/** The database ends every connection of the nodes, again and again. */
class F12TerminatedConnectionsTest extends DatabaseScenario {

  private static final Duration TIME = Duration.ofMinutes(1);

  /** To be renewed some times, of which some fail. */
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** A busy machine may need more than a second to connect again, now and then. */
  private static final int OFTEN = (int) TIME.toSeconds() * 3 / 4;

  @Test
  void claimsOutliveAMinuteOfTerminatedConnections() throws Exception {
    terminate(Mode.MULTI);
  }

  @Test
  void partitionsOutliveAMinuteOfTerminatedConnections() throws Exception {
    terminate(Mode.ORDERED);
  }

  /** Leases live on, and a status that was lost with its connection is written again. */
  private void terminate(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "all connections terminated every second for %ds, lease 10s".formatted(TIME.toSeconds()));
    World world = world();
    NodeSettings node = world.relay(mode).lease(LEASE);
    Operator operator = new Operator(world.database());
    List<Integer> terminated = new ArrayList<>();
    everySecond(world, node, TIME, () -> terminated.add(operator.terminateAll())).noRepeats();
    assertThat(terminated).as("times").hasSize((int) TIME.toSeconds());
    assertThat(terminated)
        .as("times when both nodes had connections again, of %s", terminated)
        .filteredOn(count -> count >= 2)
        .hasSizeGreaterThanOrEqualTo(OFTEN);
  }
}
