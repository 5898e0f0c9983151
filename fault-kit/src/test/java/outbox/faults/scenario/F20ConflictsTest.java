package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Operator;
import outbox.faults.world.World;

/** Deadlocks, and transactions that are as strictly isolated as a database can. */
class F20ConflictsTest extends DatabaseScenario {

  @Test
  void claimsAndStatusesThatFailInAConflictAreTriedAgain() throws Exception {
    disagree(Mode.MULTI);
  }

  @Test
  void partitionsAndStatusesThatFailInAConflictAreTriedAgain() throws Exception {
    disagree(Mode.ORDERED);
  }

  private void disagree(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "SERIALIZABLE by default, and rows locked in another order for 8s");
    World world = world();
    Operator operator = new Operator(world.database());
    String url =
        Operator.withSetting(
            world.database().url(),
            "default_transaction_isolation=serializable",
            "transaction_isolation='SERIALIZABLE'");
    int before = operator.deadlocks();
    try (Rival rival = new Rival(world, mode, operator.isPostgres())) {
      NodeSettings node = world.relay(mode).url(url).lease(Duration.ofSeconds(10));
      everySecond(world, node, Duration.ofSeconds(8), () -> {}).noRepeats();
      rival.close();
      assertThat(operator.deadlocks() - before)
          .as("deadlocks in which a node was the one to fail")
          .isGreaterThan(rival.failures());
    }
  }
}
