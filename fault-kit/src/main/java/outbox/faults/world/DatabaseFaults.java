package outbox.faults.world;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import outbox.jdbc.JdbcTemplate;
import outbox.testing.databases.DatabaseServer;

/** What can happen to a database server under everybody's feet. */
public final class DatabaseFaults {

  private static final Duration LONGEST = Duration.ofSeconds(4);

  private final DatabaseServer server;
  private final World world;

  public DatabaseFaults(DatabaseServer server, World world) {
    this.server = server;
    this.world = world;
  }

  public List<Chaos.Fault> all() {
    return List.of(this::crash, this::endSessions, this::lockTable);
  }

  /** Killed, down for a while, and back. */
  private void crash(Random random) {
    server.kill();
    rest(random);
    server.start();
  }

  /** All connections to the database but this one are gone. */
  private void endSessions(Random random) throws SQLException {
    try (Connection connection = world.database().dataSource().getConnection()) {
      if (connection.getMetaData().getURL().startsWith("jdbc:postgresql")) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
        }
      } else {
        killSessions(connection);
      }
    }
    rest(random);
  }

  private static void killSessions(Connection connection) throws SQLException {
    String others =
        "SELECT id FROM information_schema.processlist"
            + " WHERE db = DATABASE() AND id <> CONNECTION_ID()";
    for (long id : JdbcTemplate.query(connection, others, row -> row.getLong(1))) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("KILL " + id);
      } catch (SQLException e) {
        // It ended by itself.
      }
    }
  }

  /** Somebody changes the table and keeps it to himself meanwhile. */
  private void lockTable(Random random) throws SQLException {
    try (Connection connection = world.database().dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      boolean isPostgres = connection.getMetaData().getURL().startsWith("jdbc:postgresql");
      connection.setAutoCommit(!isPostgres);
      statement.execute(isPostgres ? "LOCK TABLE outbox_event" : "LOCK TABLES outbox_event WRITE");
      rest(random);
      statement.execute(isPostgres ? "COMMIT" : "UNLOCK TABLES");
    }
  }

  private void rest(Random random) {
    world.awaitTime(System.nanoTime(), LONGEST.multipliedBy(random.nextInt(100)).dividedBy(100));
  }
}
