package outbox.faults.scenario;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NetworkProxy;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.Operator;
import outbox.faults.world.World;

/** One node is cut off from the database without hearing of it, for longer than its lease. */
class N3SilentNetworkTest extends DatabaseScenario {

  /** Most of the time a transaction is under way when the network falls silent. */
  private static final Duration LATENCY = Duration.ofMillis(20);

  /** Longer than the others may take: who waits for its end is found out. */
  private static final Duration SILENCE = Duration.ofSeconds(13);

  /** What was sent before the silence has arrived. */
  private static final Duration QUIET = Duration.ofMillis(500);

  @Test
  void nodeThatIsCutOffBeginsNothingAfterItsClaimsEnd() throws Exception {
    fallSilent(Mode.MULTI, NetworkProxy::heal);
  }

  @Test
  void nodeThatIsCutOffBeginsNothingAfterItsSessionEnds() throws Exception {
    fallSilent(Mode.ORDERED, NetworkProxy::heal);
  }

  @Test
  void nodeWhoseConnectionsStaySilentTakesPartAgainWithClaims() throws Exception {
    fallSilent(Mode.MULTI, NetworkProxy::forget);
  }

  @Test
  void nodeWhoseConnectionsStaySilentTakesPartAgainWithPartitions() throws Exception {
    fallSilent(Mode.ORDERED, NetworkProxy::forget);
  }

  private interface End {
    void of(NetworkProxy network);
  }

  private void fallSilent(Mode mode, End end) throws Exception {
    protocol.about(
        "%d events/s for 100 keys, 3 nodes, %s".formatted(rate(mode), mode),
        "no answer from the database for one node for 13s, lease 5s, 20ms of latency");
    World world = world();
    try (NetworkProxy network = new NetworkProxy(world.database().url())) {
      network.slowDown(LATENCY);
      NodeSettings relay = world.relay(mode).work(Duration.ofMillis(5));
      NodeProcess lonely = world.cluster().start(relay.url(network.url()));
      List<NodeProcess> others = world.cluster().start(2, busy(relay));
      world.cluster().start(world.writer(rate(mode), 100));
      world.awaitDeliveriesOf(lonely);
      world.awaitDeliveriesOf(others);

      network.silence();
      long silent = System.nanoTime();
      world.awaitTime(silent, QUIET);
      long leaseEnd = leaseEnd(world, lonely, relay);
      Set<String> unwritten = Set.copyOf(world.tables().pendingIds());
      world.awaitTime(silent, SILENCE);
      long healed = System.nanoTime();
      end.of(network);
      world.awaitDeliveriesOf(lonely);

      Set<String> inHands = inHands(world, lonely, healed);
      inHands.retainAll(unwritten);
      Checker checker =
          verdict(world, mode)
              .deliveredWithin(relay.lease().plus(NOTICE), silent)
              .repeatsOnlyAmong(Map.of(lonely.name(), inHands))
              .repeatsOnlyBetween(silent - relay.lease().toNanos(), healed);
      assertThat(world.history().callsOf(lonely.name()))
          .as("calls after the lease, before the end of the silence")
          .noneMatch(call -> call.begun() - leaseEnd > 0 && call.begun() - healed < 0);
      protocol.converged(checker.lag(silent));
    }
  }

  /** With claims, so many that the one that is farther from the database gets some, too. */
  private static int rate(Mode mode) {
    return mode == Mode.MULTI ? 200 : 100;
  }

  /** Too busy to claim everything before the one that is farther from the database. */
  private static NodeSettings busy(NodeSettings relay) {
    return relay.mode() == Mode.MULTI ? relay.work(Duration.ofMillis(50)).queueBytes(8_000) : relay;
  }

  /** What the node had begun by that moment. */
  private static Set<String> inHands(World world, NodeProcess node, long nanos) {
    return world.history().callsOf(node.name()).stream()
        .filter(call -> call.begun() - nanos < 0)
        .map(call -> call.event().id())
        .collect(toSet());
  }

  /** When the last renewal that reached the database runs out, by the machine's clock. */
  private static long leaseEnd(World world, NodeProcess node, NodeSettings relay) {
    Operator operator = new Operator(world.database());
    Duration left =
        relay.mode() == Mode.ORDERED
            ? operator.ahead("expires_at", "outbox_node WHERE node_id = '" + node.name() + "'")
            : operator
                .ahead("locked_at", "outbox_event WHERE locked_by LIKE '%" + node.name() + "%'")
                .plus(relay.lease());
    return System.nanoTime() + left.toNanos();
  }
}
