package outbox.faults.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import outbox.faults.node.Mode;
import outbox.faults.world.World;
import outbox.jdbc.JdbcTemplate;

/**
 * Locks rows that nodes are about to change, in another order than they do, and takes care that of
 * two that wait for each other the node is the one to fail. Or changes one such row at a time, so
 * that nobody but who is strictly isolated has to fail.
 */
final class Rival {

  private static final Duration HOLD = Duration.ofMillis(30);
  private static final int ROWS = 20;

  private final World world;
  private final boolean isPostgres;
  private final boolean locksFences;
  private final int rows;
  private final Thread thread = new Thread(this::run, "rival");
  private volatile boolean isClosed;
  private final AtomicInteger failures = new AtomicInteger();

  private Rival(World world, boolean isPostgres, boolean locksFences, int rows) {
    this.world = world;
    this.isPostgres = isPostgres;
    this.locksFences = locksFences;
    this.rows = rows;
    world.tables().execute("CREATE TABLE ballast (id INT)");
    thread.setDaemon(true);
  }

  static Rival deadlocking(World world, Mode mode, boolean isPostgres) {
    return new Rival(world, isPostgres, mode == Mode.ORDERED, ROWS);
  }

  /** Where that is enough: InnoDB has no serialization failures but deadlocks. */
  static Rival changing(World world, Mode mode, boolean isPostgres) {
    return isPostgres
        ? new Rival(world, isPostgres, false, 1)
        : deadlocking(world, mode, isPostgres);
  }

  /** When nodes have begun: it can lock what it finds before they have their partitions. */
  void start() {
    thread.start();
  }

  /** How often it was the one to fail. */
  int failures() {
    return failures.get();
  }

  private void run() {
    while (!isClosed) {
      try (Connection connection = world.database().dataSource().getConnection()) {
        connection.setAutoCommit(false);
        prepare(connection);
        lock(connection);
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        failures.incrementAndGet();
      }
      LockSupport.parkNanos(HOLD.toNanos());
    }
  }

  /** PostgreSQL fails who looks first; MariaDB who has changed less. */
  private void prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (isPostgres) {
        statement.execute("SET deadlock_timeout = '20s'");
      } else {
        statement.execute("INSERT INTO ballast SELECT seq FROM seq_1_to_2000");
      }
    }
  }

  private void lock(Connection connection) {
    String newest =
        "SELECT event_id FROM outbox_event WHERE status IN (0, 2) ORDER BY seq DESC LIMIT " + rows;
    List<String> ids = JdbcTemplate.query(connection, newest, row -> row.getString(1));
    for (String id : ids) {
      JdbcTemplate.update(
          connection, "UPDATE outbox_event SET last_error = 'rival' WHERE event_id = ?", id);
      LockSupport.parkNanos(HOLD.toNanos());
    }
    if (locksFences) {
      JdbcTemplate.query(
          connection, "SELECT session_id FROM outbox_fence FOR UPDATE", row -> row.getString(1));
    }
  }

  /** Returns when it does nothing any more. */
  void stop() throws InterruptedException {
    isClosed = true;
    thread.join();
  }
}
