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

  @Test
  void claimsOutliveTheConnectionsOfTheirNode() throws Exception {
    terminate(Mode.MULTI, Duration.ofSeconds(8));
  }

  @Test
  void partitionsOutliveTheConnectionsOfTheirNode() throws Exception {
    terminate(Mode.ORDERED, Duration.ofSeconds(8));
  }

  @Test
  void claimsOutliveAMinuteOfTerminatedConnections() throws Exception {
    terminate(Mode.MULTI, Duration.ofMinutes(1));
  }

  @Test
  void partitionsOutliveAMinuteOfTerminatedConnections() throws Exception {
    terminate(Mode.ORDERED, Duration.ofMinutes(1));
  }

  /** Leases live on, and a status that was lost with its connection is written again. */
  private void terminate(Mode mode, Duration time) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "all connections terminated every second for %ds".formatted(time.toSeconds()));
    World world = world();
    NodeSettings node = world.relay(mode).lease(Duration.ofSeconds(5));
    Operator operator = new Operator(world.database());
    List<Integer> terminated = new ArrayList<>();
    everySecond(world, node, time, () -> terminated.add(operator.terminateAll())).noRepeats();
    assertThat(terminated)
        .as("connections terminated each time, of both nodes")
        .hasSize((int) time.toSeconds())
        .allMatch(count -> count >= 2);
  }
}
