package outbox.faults.scenario;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.world.Operator;
import outbox.faults.world.World;

/** A change of the table keeps everybody out for much longer than a lease. */
class F23LockedTableTest extends DatabaseScenario {

  private static final Duration LOCKED = Duration.ofSeconds(10);
  private static final String ALTER = "ALTER TABLE outbox_event ADD COLUMN note VARCHAR(9)";

  @Test
  void claimsWaitForAnAlterAndGoOn() throws Exception {
    alter(Mode.MULTI);
  }

  @Test
  void partitionsWaitForAnAlterAndGoOn() throws Exception {
    alter(Mode.ORDERED);
  }

  private void alter(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "ALTER TABLE that keeps its lock for 10s, lease 3s");
    World world = world();
    boolean isPostgres = new Operator(world.database()).isPostgres();
    outage(
        world,
        world.relay(mode),
        world.writer(200, 100),
        () -> {
          try (Connection connection = world.database().dataSource().getConnection();
              Statement statement = connection.createStatement()) {
            // MariaDB commits an ALTER at once, but not the lock around it.
            statement.execute(isPostgres ? "BEGIN" : "LOCK TABLES outbox_event WRITE");
            statement.execute(ALTER);
            world.awaitTime(System.nanoTime(), LOCKED);
            statement.execute(isPostgres ? "COMMIT" : "UNLOCK TABLES");
          }
        });
  }
}
