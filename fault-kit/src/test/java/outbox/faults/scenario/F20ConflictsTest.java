package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Operator;
import outbox.faults.world.Server;
import outbox.faults.world.World;

/** Deadlocks, and transactions that are as strictly isolated as a database can. */
class F20ConflictsTest extends DatabaseScenario {

  private static final Duration CONFLICTS = Duration.ofSeconds(8);

  @Test
  void claimsAndStatusesThatFailInADeadlockAreTriedAgain() throws Exception {
    lockInAnotherOrder(Mode.MULTI);
  }

  @Test
  void partitionsAndStatusesThatFailInADeadlockAreTriedAgain() throws Exception {
    lockInAnotherOrder(Mode.ORDERED);
  }

  @Test
  void claimsAndStatusesCanBeSerializable() throws Exception {
    serialize(Mode.MULTI);
  }

  @Test
  void partitionsAndStatusesCanBeSerializable() throws Exception {
    serialize(Mode.ORDERED);
  }

  private void lockInAnotherOrder(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "rows locked in another order than nodes do, for 8s");
    World world = world();
    Operator operator = new Operator(world.database());
    int before = operator.deadlocks();
    Rival rival = Rival.deadlocking(world, mode, server == Server.POSTGRES);
    compete(world, quickToLook(world.relay(mode)), rival, CONFLICTS);
    assertThat(operator.deadlocks() - before)
        .as("deadlocks in which a node was the one to fail")
        .isGreaterThan(rival.failures());
  }

  /** PostgreSQL does after a second, when a node has given up waiting for a row; InnoDB at once. */
  private NodeSettings quickToLook(NodeSettings node) {
    return server == Server.POSTGRES
        ? node.url(Operator.withSetting(node.url(), "deadlock_timeout=200ms", ""))
        : node;
  }

  /** For so long somebody locks what the nodes are about to change. */
  private void compete(World world, NodeSettings node, Rival rival, Duration time)
      throws Exception {
    AtomicInteger seconds = new AtomicInteger();
    everySecond(
            world,
            node.lease(Duration.ofSeconds(10)),
            time,
            () -> {
              int second = seconds.incrementAndGet();
              if (second == 1) {
                rival.start();
              } else if (second == time.toSeconds()) {
                rival.stop();
              }
            })
        .noRepeats();
  }

  /**
   * On MariaDB claims and releases choose their isolation themselves; there it is statuses,
   * partitions and the application's own transactions that conflict.
   */
  private void serialize(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "transactions are SERIALIZABLE by default, rows changed by others for 4s");
    World world = world();
    String url =
        Operator.withSetting(
            world.database().url(),
            "default_transaction_isolation=serializable",
            "transaction_isolation='SERIALIZABLE'");
    Rival rival = Rival.changing(world, mode, server == Server.POSTGRES);
    compete(world, world.relay(mode).url(url), rival, Duration.ofSeconds(5));
    assertThat(world.logs().stream().flatMap(String::lines))
        .as("what nodes say of the engine's own transactions")
        .anyMatch(line -> isConflict(line) && !line.startsWith("transaction failed"));
  }

  /** Told by the engine, or by PostgreSQL itself if only the commit failed. */
  private static boolean isConflict(String line) {
    return line.contains("SQLState 40001") || line.contains("could not serialize access");
  }
}
