package outbox.testing.databases;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A database server reached by JDBC, started here or found in the environment. */
final class ServerHost implements DatabaseHost {
  private static final Logger LOGGER = System.getLogger(ServerHost.class.getName());

  private final Supplier<JdbcUrl> server;
  private final boolean external;
  private final Set<String> created = ConcurrentHashMap.newKeySet();

  private ServerHost(Supplier<JdbcUrl> server, boolean external) {
    this.server = server;
    this.external = external;
    if (external) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::dropAll, "drop-test-databases"));
    }
  }

  /** A server that takes its databases with it when it ends. */
  static ServerHost embedded(Supplier<JdbcUrl> server) {
    return new ServerHost(server, false);
  }

  /** A server that outlives this JVM: what was created on it is dropped at exit. */
  static ServerHost external(Supplier<JdbcUrl> server) {
    return new ServerHost(server, true);
  }

  /** The same server by another driver. */
  ServerHost through(String scheme) {
    return new ServerHost(() -> server.get().withScheme(scheme), external);
  }

  @Override
  public String url() {
    return server.get().text();
  }

  @Override
  public String create(String database) {
    execute("CREATE DATABASE " + database);
    created.add(database);
    return server.get().withDatabase(database).text();
  }

  @Override
  public void drop(String database) {
    boolean postgres = server.get().scheme().equals("postgresql");
    execute("DROP DATABASE IF EXISTS " + database + (postgres ? " WITH (FORCE)" : ""));
    created.remove(database);
  }

  private void dropAll() {
    for (String database : created) {
      try {
        drop(database);
      } catch (DatabaseUnavailableException e) {
        LOGGER.log(Level.WARNING, "database " + database + " stays behind on the test server", e);
      }
    }
  }

  private void execute(String sql) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new DatabaseUnavailableException(sql + " failed on " + server.get(), e);
    }
  }
}
