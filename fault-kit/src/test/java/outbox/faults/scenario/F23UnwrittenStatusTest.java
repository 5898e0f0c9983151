package outbox.faults.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.Server;
import outbox.faults.world.World;

/** Somebody keeps the table from being changed, while everybody can read it. */
class F23UnwrittenStatusTest extends Scenario {

  private static final Duration LOCK = Duration.ofSeconds(4);

  @Test
  void eventsOfANodeAloneAreDeliveredOnceThoughTheirStatusesWait() throws Exception {
    lock(Mode.SINGLE);
  }

  @Test
  void claimedEventsAreDeliveredOnceThoughTheirStatusesWait() throws Exception {
    lock(Mode.MULTI);
  }

  @Test
  void eventsInOrderAreDeliveredOnceThoughTheirStatusesWait() throws Exception {
    lock(Mode.ORDERED);
  }

  private void lock(Mode mode) throws Exception {
    protocol.about(
        "300 events/s for 50 keys, 1 node, %s".formatted(mode),
        "a lock of %ds against changes of the table, lease 30s".formatted(LOCK.toSeconds()));
    World world = world();
    NodeSettings relay = world.relay(mode).lease(Duration.ofSeconds(30)).work(Duration.ofMillis(5));
    world.cluster().start(relay);
    world.cluster().start(world.writer(300, 50));
    world.awaitThat(() -> world.history().deliveries().size() > 100);

    long locked = System.nanoTime();
    try (Connection connection = world.database().dataSource().getConnection()) {
      lockAgainstChanges(connection);
      world.awaitTime(locked, LOCK);
    }
    world.settle();

    judge(world).nothingPending().nothingDead().noRepeats();
    protocol.converged(judge(world).lag(locked));
  }

  /** Until the connection is closed. */
  private void lockAgainstChanges(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      connection.setAutoCommit(server != Server.POSTGRES);
      statement.execute(
          server == Server.POSTGRES
              ? "LOCK TABLE outbox_event IN SHARE ROW EXCLUSIVE MODE"
              : "LOCK TABLES outbox_event READ");
    }
  }
}
