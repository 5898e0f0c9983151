package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.world.Operator;
import outbox.faults.world.Tables;
import outbox.faults.world.World;

/** The database becomes read-only for longer than a lease, as in a failover, and writable again. */
class F18ReadOnlyDatabaseTest extends DatabaseScenario {

  private static final Duration READ_ONLY = Duration.ofSeconds(8);

  private Operator operator;

  @Test
  void claimsWaitWhileNothingCanBeWritten() throws Exception {
    forbid(Mode.MULTI);
  }

  @Test
  void partitionsWaitWhileNothingCanBeWritten() throws Exception {
    forbid(Mode.ORDERED);
  }

  /** The server is everybody's. */
  @AfterEach
  void allow() {
    operator.readOnly(false);
  }

  private void forbid(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "database read-only for 8s, lease 5s");
    World world = world();
    operator = new Operator(world.database());
    String url = operator.ordinaryUser();
    // Not by the harness's pool, whose connections end with all the others.
    Tables tables = new Tables(world.database().dataSource()::getConnection);
    outage(
        world,
        world.relay(mode).url(url),
        world.writer(200, 100).url(url),
        () -> {
          operator.readOnly(true);
          List<String> before = tables.statuses();
          world.awaitTime(System.nanoTime(), READ_ONLY);
          assertThat(tables.statuses()).as("what is committed").isEqualTo(before);
          operator.readOnly(false);
        });
  }
}
