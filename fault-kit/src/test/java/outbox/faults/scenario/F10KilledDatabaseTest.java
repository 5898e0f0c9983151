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

  private static final Duration AWAY = Duration.ofSeconds(1);

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
    kill(Mode.MULTI);
  }

  @Test
  void partitionsGoOnWhereTheDatabaseStopped() throws Exception {
    kill(Mode.ORDERED);
  }

  private void kill(Mode mode) throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, %s".formatted(mode),
        "database killed, and started again after 1s");
    World world = world(database.database());
    outage(
        world,
        world.relay(mode),
        world.writer(200, 100),
        () -> {
          database.kill();
          world.awaitTime(System.nanoTime(), AWAY);
          database.start();
        });
  }
}
