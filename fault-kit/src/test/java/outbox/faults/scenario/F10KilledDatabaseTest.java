package outbox.faults.scenario;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.world.World;
import outbox.testing.databases.DatabaseServer;

/** The database is killed under load and comes back. */
class F10KilledDatabaseTest extends DatabaseScenario {

  /** Leases outlast it. */
  private static final Outage SHORT = new Outage(Duration.ofSeconds(1), Duration.ofSeconds(10));

  /** Leases end meanwhile, and in the end pools look only now and then whether it is back. */
  private static final Outage LONG = new Outage(Duration.ofSeconds(10), Duration.ofSeconds(5));

  private record Outage(Duration away, Duration lease) {}

  private DatabaseServer database;

  @BeforeEach
  void startServer() {
    database = server.own();
  }

  @AfterEach
  void closeServer() {
    database.close();
  }

  @Test
  @Tag(QUICK)
  void claimsGoOnWhereTheDatabaseStopped() throws Exception {
    kill(Mode.MULTI, SHORT);
  }

  @Test
  void partitionsGoOnWhereTheDatabaseStopped() throws Exception {
    kill(Mode.ORDERED, SHORT);
  }

  @Test
  void claimsThatEndedWhileTheDatabaseWasAwayAreMadeAgain() throws Exception {
    kill(Mode.MULTI, LONG);
  }

  @Test
  void partitionsThatWereLostWhileTheDatabaseWasAwayAreSharedAgain() throws Exception {
    kill(Mode.ORDERED, LONG);
  }

  private void kill(Mode mode, Outage outage) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "database killed, and started again after %ds, lease %ds"
            .formatted(outage.away().toSeconds(), outage.lease().toSeconds()));
    World world = world(database.database());
    outage(
        world,
        world.relay(mode).lease(outage.lease()),
        world.writer(200, 100),
        () -> {
          database.kill();
          world.awaitTime(System.nanoTime(), outage.away());
          database.start();
        });
  }
}
