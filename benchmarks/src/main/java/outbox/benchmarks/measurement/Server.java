package outbox.benchmarks.measurement;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import outbox.testing.databases.Database;
import outbox.testing.databases.DatabaseServer;

/** A server that waits for the disk at every commit, started by the benchmark itself. */
final class Server implements AutoCloseable {

  private final DatabaseServer server;
  private final boolean mariaDb;
  private final String version;
  private final List<String> settle;

  private Server(DatabaseServer server, boolean mariaDb, List<String> settle) {
    this.server = server;
    this.mariaDb = mariaDb;
    this.settle = settle;
    this.version = version(server.database());
  }

  static Server postgres() {
    return new Server(
        DatabaseServer.postgres()
            .durable()
            .set("shared_buffers", "512MB")
            .set("shared_preload_libraries", "pg_stat_statements")
            .start(),
        false,
        List.of("VACUUM ANALYZE", "CHECKPOINT"));
  }

  static Server mariaDb() {
    return new Server(
        DatabaseServer.mariaDb().durable().set("innodb-buffer-pool-size", "512M").start(),
        true,
        List.of());
  }

  boolean isMariaDb() {
    return mariaDb;
  }

  String productName() {
    return mariaDb ? "MariaDB" : "PostgreSQL";
  }

  String version() {
    return version;
  }

  /** The server's first database, for questions about all the others. */
  Database database() {
    return server.database();
  }

  Stage stage() {
    return new Stage(server.database().fresh(), settle);
  }

  @Override
  public void close() {
    server.close();
  }

  private static String version(Database database) {
    try (Connection connection = database.dataSource().getConnection()) {
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new IllegalStateException("the server doesn't tell its version", e);
    }
  }
}
