package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Operator;
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
    AtomicInteger seconds = new AtomicInteger();
    Rival rival = new Rival(world, mode, operator.isPostgres());
    everySecond(
            world,
            world.relay(mode).lease(Duration.ofSeconds(10)),
            CONFLICTS,
            () -> {
              int second = seconds.incrementAndGet();
              if (second == 1) {
                rival.start();
              } else if (second == CONFLICTS.toSeconds()) {
                rival.stop();
              }
            })
        .noRepeats();
    assertThat(operator.deadlocks() - before)
        .as("deadlocks in which a node was the one to fail")
        .isGreaterThan(rival.failures());
  }

  private void serialize(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "transactions are SERIALIZABLE by default");
    World world = world();
    String url =
        Operator.withSetting(
            world.database().url(),
            "default_transaction_isolation=serializable",
            "transaction_isolation='SERIALIZABLE'");
    NodeSettings node = world.relay(mode).url(url).lease(Duration.ofSeconds(10));
    everySecond(world, node, Duration.ofSeconds(3), () -> {}).noRepeats();
  }
}
