package outbox.faults.scenario;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;
import outbox.jdbc.JdbcTemplate;

/** A node stands still with events in its hands, or in the middle of a write. */
class F3FrozenNodeTest extends Scenario {

  private static final int KEYS = 40;
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration NOTICE = Duration.ofSeconds(5);

  /** Longer than it takes to see that a listener was called, and to pause its node. */
  private static final Duration WORK = Duration.ofSeconds(3);

  @Test
  void nodeThatWakesUpAfterItsSuccessorDeliveredEverythingChangesNothing() throws Exception {
    protocol.about("one event for each of %d keys, ORDERED".formatted(KEYS), "SIGSTOP, lease 5s");
    World world = world();
    NodeSettings relay = relay(world);
    NodeProcess zombie = world.cluster().start(relay.work(WORK));
    world.awaitShared(List.of(zombie));
    world.accounts().write(relay.keys(), 1, () -> true);
    world.awaitThat(() -> world.history().calls().size() >= relay.workers());
    world.cluster().pause(zombie);
    Set<String> inHands = world.inHands(zombie);
    NodeProcess successor = world.cluster().start(relay);
    long started = System.nanoTime();
    world.awaitReplaced(zombie);
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(LEASE.plus(NOTICE));
    world.awaitDelivered();
    List<String> statuses = world.tables().statuses();
    int calls = world.history().callsOf(zombie.name()).size();

    zombie.resume();
    world.awaitThat(() -> world.tables().partitions(zombie.name()) > 0);

    assertThat(world.tables().statuses()).isEqualTo(statuses);
    assertThat(world.history().callsOf(zombie.name())).hasSize(calls);
    assertThat(world.history().callsOf(successor.name())).hasSize(KEYS);
    world.accounts().write(relay.keys(), 1, () -> true);
    world.settle();
    judge(world)
        .nothingPending()
        .nothingDead()
        .inOrder()
        .zombiesOnlyOf(world.cluster().pauses(), relay.workers())
        .repeatsOnlyAmong(Map.of(zombie.name(), inHands));
  }

  @Test
  void nodeThatStandsStillInTheMiddleOfAWriteHoldsUpItsOwnPartitionsOnly() throws Exception {
    protocol.about(
        "one event after the other for the keys of the other node, ORDERED",
        "SIGSTOP of a node whose fence stays locked, lease 5s");
    World world = world();
    NodeSettings relay = relay(world);
    List<NodeProcess> nodes = world.cluster().start(2, relay);
    NodeProcess frozen = nodes.get(0);
    world.awaitShared(nodes);
    world.accounts().write(relay.keys(), 1, () -> true);
    world.awaitDelivered();
    try (Connection write = world.outbox().connections().getConnection()) {
      world.cluster().pause(frozen);
      lockFence(write, world.tables().sessions(frozen.name()).get(0));
      Set<String> othersKeys = keysOf(world, nodes.get(1));
      assertThat(othersKeys).isNotEmpty();

      long end = System.nanoTime() + LEASE.multipliedBy(3).toNanos();
      for (int version = 2; System.nanoTime() - end < 0; version++) {
        deliverSoon(world, othersKeys, version);
      }
      write.rollback();
    }
    frozen.resume();
    world.settle();
    judge(world)
        .nothingPending()
        .nothingDead()
        .inOrder()
        .zombiesOnlyOf(world.cluster().pauses(), relay.workers())
        .noRepeats(); // everything was delivered and written when it froze
  }

  private static NodeSettings relay(World world) throws SQLException {
    NodeSettings relay = world.relay(Mode.ORDERED).lease(LEASE).keys("a", KEYS);
    world.accounts().add(relay.keys());
    return relay;
  }

  private static void deliverSoon(World world, Set<String> keys, int version) throws SQLException {
    long start = System.nanoTime();
    world.accounts().write(List.copyOf(keys), 1, () -> true);
    world.awaitThat(
        () -> keys.stream().allMatch(key -> world.history().delivered(key).contains(version)));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LEASE.multipliedBy(2));
  }

  private static Set<String> keysOf(World world, NodeProcess node) {
    return world.history().callsOf(node.name()).stream()
        .map(call -> call.event().key())
        .collect(toSet());
  }

  /** As a node does in the transaction that writes statuses. */
  private static void lockFence(Connection connection, String session) throws SQLException {
    connection.setAutoCommit(false);
    JdbcTemplate.query(
        connection,
        "SELECT session_id FROM outbox_fence WHERE session_id = ? FOR UPDATE",
        row -> row.getString(1),
        session);
  }
}
