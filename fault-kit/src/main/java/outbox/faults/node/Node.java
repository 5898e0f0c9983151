package outbox.faults.node;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import outbox.Outbox;
import outbox.faults.history.Journal;
import outbox.faults.mutant.Mutant;
import outbox.jdbc.database.JdbcDatabase;

/**
 * An application in a process of its own: it writes, delivers, or both, until its input ends or it
 * is asked to terminate, and writes down what it does.
 */
public final class Node {

  /** Longer than any scenario. */
  private static final Duration TRUST = Duration.ofHours(1);

  private static final Duration LOGIN = Duration.ofSeconds(5);

  private static final Logger ENGINE = Logger.getLogger("outbox");

  private final NodeSettings settings;
  private final Switches switches;
  private final Journal journal;
  private final Death death;

  private Node(NodeSettings settings, Journal journal) {
    this.settings = settings;
    this.journal = journal;
    switches = new Switches(Path.of(settings.folder()));
    death = new Death(settings.dieAt(), settings.dieAfter());
  }

  public static void main(String[] arguments) throws Exception {
    NodeSettings settings = NodeSettings.parse(arguments);
    settings.mutant().ifPresent(Mutant::install);
    Journal journal = new Journal(Path.of(settings.folder()), settings.name());
    ENGINE.addHandler(new LostLeases(journal));
    new Node(settings, journal).run();
  }

  private void run() throws Exception {
    try (HikariDataSource pool = pool();
        Hoard hoard = new Hoard(pool, switches, settings.name())) {
      JdbcDatabase database = JdbcDatabase.of(between(pool));
      Destination destination = new Destination(settings, switches, journal, death);
      Outbox outbox =
          new Relay(settings, database, switches)
              .outbox(destination.listener(), destination.lists());
      Runtime.getRuntime().addShutdownHook(new Thread(outbox::close));
      try (outbox) {
        outbox.start();
        hoard.start();
        write(new Accounts(database, outbox.writer(), journal, settings.payloadBytes()));
      }
    }
  }

  private void write(Accounts accounts) throws Exception {
    Load load = new Load(accounts, settings);
    System.out.println("started");
    if (settings.events() < Integer.MAX_VALUE) {
      announceEnd(load);
    }
    awaitEndOfInput();
    load.stop();
  }

  private static void announceEnd(Load load) {
    Thread thread =
        new Thread(
            () -> {
              load.await();
              System.out.println("written");
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {}
  }

  private DataSource between(DataSource pool) {
    DataSource connections = settings.hasPooler() ? new TransactionPooler(settings.url()) : pool;
    return settings.dieAt() == KillPoint.NOWHERE
        ? connections
        : new Interposer(death).around(connections);
  }

  private HikariDataSource pool() {
    if (settings.isTrusting()) {
      System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", String.valueOf(TRUST.toMillis()));
    }
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(settings.url());
    config.setMaximumPoolSize(settings.pool());
    config.setMinimumIdle(settings.isTrusting() ? settings.pool() : 1);
    config.setConnectionTimeout(5_000);
    config.setInitializationFailTimeout(60_000);
    if (settings.url().startsWith("jdbc:postgresql:")) {
      // Else a login that is never answered keeps the pool's only thread for them for ever.
      // As text: HikariCP hands other objects on, and the driver passes over them in silence.
      config.addDataSourceProperty("loginTimeout", String.valueOf(LOGIN.toSeconds()));
    }
    return new HikariDataSource(config);
  }

  /** Writes down that a node was late; whether it may be is the scenario's to say. */
  private static final class LostLeases extends Handler {

    private final Journal journal;

    LostLeases(Journal journal) {
      this.journal = journal;
    }

    @Override
    public void publish(LogRecord entry) {
      String message = String.valueOf(entry.getMessage());
      if (message.startsWith("other nodes took over") || message.contains("lost the lease")) {
        journal.lostLease();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
