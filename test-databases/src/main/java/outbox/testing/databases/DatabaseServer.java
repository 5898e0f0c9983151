package outbox.testing.databases;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A database server of one's own, to tune for a benchmark or to stop and kill in a fault test; it
 * keeps its data and its port through {@link #stop}, {@link #kill} and {@link #start}.
 *
 * <p>Commits survive {@link #kill}. A crash of the machine may lose them, because by default
 * nothing waits for the disk; {@link Builder#durable} changes that. {@link #close} removes the
 * data. Thread-safe.
 *
 * <pre>{@code
 * try (DatabaseServer server =
 *     DatabaseServer.postgres().durable().set("shared_buffers", "512MB").start()) {
 *   DataSource dataSource = server.database().pooled();
 *   server.kill();
 *   server.start();
 * }
 * }</pre>
 */
public final class DatabaseServer implements AutoCloseable {
  private static final String DATABASE = "outbox";
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final int PORT_ATTEMPTS = 3;

  private final Engine engine;
  private final Map<String, String> settings;
  private final ServerHome home;
  private final Watchdog watchdog;
  private final Database database;
  private volatile int port;
  private @Nullable ServerProcess process;

  private DatabaseServer(Engine engine, Map<String, String> settings) {
    this.engine = engine;
    this.settings = settings;
    this.home = ServerHome.create(engine.scheme());
    this.watchdog = new Watchdog(home, engine.discardSignal());
    this.database = Database.shared(engine.title(), ServerHost.embedded(this::jdbcUrl));
  }

  /** PostgreSQL 18; settings are those of {@code postgresql.conf}. */
  public static Builder postgres() {
    return new Builder(new PostgresEngine());
  }

  /** MariaDB 11.4; settings are server options without the leading dashes. */
  public static Builder mariaDb() {
    return new Builder(new MariaDbEngine());
  }

  /** MySQL 8.0, if the build runs with {@code -Pmysql}; settings as for {@link #mariaDb}. */
  public static Builder mysql() {
    return new Builder(new MySqlEngine());
  }

  /** The server's database {@code outbox}; more come from {@link Database#fresh}. */
  public Database database() {
    return database;
  }

  /** The process id of the server. */
  public synchronized long pid() {
    return running().pid();
  }

  /** Starts a stopped or killed server on its old port; does nothing if it runs. */
  public synchronized void start() {
    if (process != null && process.alive()) {
      return;
    }
    ServerProcess started = ServerProcess.start(engine.serve(home, port, settings), home);
    watchdog.guard(started.pid());
    process = started;
    try {
      new ServerProbe(engine.bootstrapUrl(port), engine.dataFolderQuery(), home).await(started);
    } catch (DatabaseUnavailableException e) {
      kill();
      throw e;
    }
  }

  /** Stops cleanly, ending open connections; returns when the process is gone. */
  public synchronized void stop() {
    ServerProcess stopping = running();
    stopping.signal(engine.stopSignal());
    if (!stopping.exitsWithin(STOP_TIMEOUT)) {
      throw new DatabaseUnavailableException(
          "%s did not stop within %s; call kill() or close()"
              .formatted(engine.title(), STOP_TIMEOUT));
    }
    ended();
  }

  /** Kills the server as a crash would; returns when all its processes are gone. */
  public synchronized void kill() {
    running().kill();
    ended();
  }

  /** Ends the server, running or not, closes its pools and removes its data. */
  @Override
  public synchronized void close() {
    database.close();
    watchdog.close();
    if (process != null) {
      process.exitsWithin(STOP_TIMEOUT);
      process = null;
    }
  }

  /** Not synchronized: while the server restarts, connecting must fail rather than wait. */
  JdbcUrl jdbcUrl() {
    return engine.bootstrapUrl(port).withDatabase(DATABASE);
  }

  private void ended() {
    watchdog.release();
    process = null;
  }

  private ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException(engine.title() + " is not running; call start() first");
    }
    return process;
  }

  private void initialise() throws IOException {
    engine.prepare(home);
    ServerProcess initialisation = ServerProcess.start(engine.initialise(home), home);
    watchdog.guard(initialisation.pid());
    if (!initialisation.exitsWithin(Duration.ofSeconds(60)) || initialisation.exitCode() != 0) {
      throw new DatabaseUnavailableException("its data folder could not be initialised");
    }
    watchdog.release();
  }

  private void startOnFreePort() {
    for (int attempt = 1; process == null; attempt++) {
      port = Ports.free();
      try {
        start();
      } catch (DatabaseUnavailableException e) {
        if (attempt == PORT_ATTEMPTS || !home.logTail().contains("already in use")) {
          throw e;
        }
      }
    }
    ServerHost.embedded(() -> engine.bootstrapUrl(port)).create(DATABASE);
  }

  private DatabaseUnavailableException abandoned(Exception cause) {
    String log = home.logTail();
    close();
    return DatabaseUnavailableException.notStarted(engine, cause, log);
  }

  /** Settings of a server that is yet to start. */
  public static final class Builder {
    private final Engine engine;
    private final Map<String, String> settings;

    Builder(Engine engine) {
      this.engine = engine;
      this.settings = new LinkedHashMap<>(engine.hasty());
    }

    /** A commit waits for the disk, as in production; put {@code java.io.tmpdir} on a real one. */
    public Builder durable() {
      settings.keySet().removeAll(engine.hasty().keySet());
      return this;
    }

    /** Sets one of the server's own settings, such as {@code wal_level} to {@code logical}. */
    public Builder set(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** Starts the server; returns when it accepts connections. */
    public DatabaseServer start() {
      DatabaseServer server = new DatabaseServer(engine, Map.copyOf(settings));
      try {
        server.initialise();
        server.startOnFreePort();
        return server;
      } catch (IOException | RuntimeException e) {
        throw server.abandoned(e);
      }
    }
  }
}
