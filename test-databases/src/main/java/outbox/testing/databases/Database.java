package outbox.testing.databases;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * One database of a running server: shared by the whole JVM as {@link Databases} hands it out, or
 * private and empty from {@link #fresh}.
 *
 * <p>Its data sources are made on first use, the same one is returned ever after, and {@link
 * #close} closes them. Thread-safe.
 */
public final class Database implements AutoCloseable {
  private static final int POOL_SIZE = 8;

  private final String name;
  private final DatabaseHost host;
  private final Supplier<String> url;
  private final Runnable drop;
  private final Map<Connections, DataSource> dataSources = new EnumMap<>(Connections.class);

  private Database(String name, DatabaseHost host, Supplier<String> url, Runnable drop) {
    this.name = name;
    this.host = host;
    this.url = url;
    this.drop = drop;
  }

  static Database shared(String name, DatabaseHost host) {
    return new Database(name, host, host::url, () -> {});
  }

  /** What to call it in a test's display name, such as {@code MariaDB via MySQL's driver}. */
  public String name() {
    return name;
  }

  /** The JDBC URL with user and password; starts the server if need be. */
  public String url() {
    return url.get();
  }

  /** Opens a new physical connection each time, auto-commit on: {@link Connections#PLAIN}. */
  public DataSource dataSource() {
    return dataSource(Connections.PLAIN);
  }

  /** A HikariCP pool of at most 8 connections, auto-commit on: {@link Connections#POOLED}. */
  public DataSource pooled() {
    return dataSource(Connections.POOLED);
  }

  /** The data source for one point of the plain/pooled × auto-commit axis. */
  public synchronized DataSource dataSource(Connections connections) {
    return dataSources.computeIfAbsent(connections, this::open);
  }

  /** A new, empty database on the same server, seen by nobody else; dropped by {@link #close}. */
  public Database fresh() {
    String database = "outbox_" + UUID.randomUUID().toString().replace("-", "");
    String freshUrl = host.create(database);
    return new Database(name, host, () -> freshUrl, () -> host.drop(database));
  }

  /** Closes the pools and drops the database if it came from {@link #fresh}. */
  @Override
  public synchronized void close() {
    dataSources.values().forEach(Database::closePool);
    dataSources.clear();
    drop.run();
  }

  @Override
  public String toString() {
    return name;
  }

  private DataSource open(Connections connections) {
    boolean autoCommit = connections.autoCommit();
    return connections.pooled() ? pool(autoCommit) : new DriverDataSource(url, autoCommit);
  }

  private DataSource pool(boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(new DriverDataSource(url, true));
    config.setAutoCommit(autoCommit);
    config.setMaximumPoolSize(POOL_SIZE);
    // Many test classes leave their pool behind: idle connections must not exhaust the server.
    config.setMinimumIdle(0);
    config.setIdleTimeout(Duration.ofSeconds(10).toMillis());
    return new HikariDataSource(config);
  }

  private static void closePool(DataSource dataSource) {
    if (dataSource instanceof HikariDataSource pool) {
      pool.close();
    }
  }
}
