package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.faults.check.Checker;
import outbox.faults.node.Mode;
import outbox.faults.world.Operator;
import outbox.faults.world.World;
import outbox.jdbc.JdbcTemplate;

/** A change of the table keeps everybody out for much longer than a lease. */
class F23LockedTableTest extends DatabaseScenario {

  private static final Duration LOCKED = Duration.ofSeconds(10);
  private static final String ALTER = "ALTER TABLE outbox_event ADD COLUMN note VARCHAR(9)";
  private static final String UNENDED = "SELECT event_id FROM outbox_event WHERE status IN (0, 2)";

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
        "ALTER TABLE that keeps its lock for 10s, lease 5s");
    World world = world();
    boolean isPostgres = new Operator(world.database()).isPostgres();
    Set<String> unended = new HashSet<>();
    Checker checker =
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
                unended.addAll(JdbcTemplate.query(connection, UNENDED, row -> row.getString(1)));
                world.awaitTime(System.nanoTime(), LOCKED);
                statement.execute(isPostgres ? "COMMIT" : "UNLOCK TABLES");
              }
            });
    // Nobody could claim anything meanwhile, so that was all that nodes had in their hands.
    assertThat(checker.repeats())
        .as("events that came again")
        .extracting(call -> call.event().id())
        .doesNotHaveDuplicates()
        .isSubsetOf(unended);
  }
}
