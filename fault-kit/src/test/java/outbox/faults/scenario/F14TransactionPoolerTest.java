package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.history.Entry;
import outbox.faults.node.Mode;
import outbox.faults.world.Operator;
import outbox.faults.world.World;

/** Between nodes and database is a pooler that keeps no session between two transactions. */
class F14TransactionPoolerTest extends DatabaseScenario {

  private static final Duration LEASE = Duration.ofSeconds(10);

  /** So long that a lease which nobody can renew ends meanwhile. */
  private static final Duration TIME = Duration.ofSeconds(15);

  @Test
  void claimsNeedNothingThatAPoolerForgets() throws Exception {
    pool(Mode.MULTI);
  }

  @Test
  void partitionsNeedNothingThatAPoolerForgets() throws Exception {
    pool(Mode.ORDERED);
  }

  private void pool(Mode mode) throws Exception {
    protocol.about(
        "up to 200 events/s for 100 keys, 2 nodes that write and deliver, %s".formatted(mode),
        "a new session of the database for every transaction, lease 10s");
    World world = world();
    Operator operator = new Operator(world.database());
    int before = operator.sessions();
    everySecond(world, world.relay(mode).pooler().lease(LEASE), TIME, () -> {}).noRepeats();
    int transactions = (int) world.history().all(Entry.Writes.class).count();
    assertThat(operator.sessions() - before)
        .as("sessions, with one for each of the nodes' business transactions and more")
        .isGreaterThan(transactions);
  }
}
