package outbox.purge;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import outbox.internal.RepeatingTask;
import outbox.internal.Require;
import outbox.internal.Transactions;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.util.Nullable;

/**
 * Deletes events some time after they ended, so that the table stays small.
 *
 * <p>Each run deletes batch after batch, every batch on a connection and in a transaction of its
 * own, until one comes back short. The first run begins at the start. Several nodes may purge one
 * table. Safe for all threads.
 */
public final class OutboxPurgeScheduler implements AutoCloseable {

  private static final Logger LOG = System.getLogger(OutboxPurgeScheduler.class.getName());

  private final PurgeSettings settings;
  private final RepeatingTask task;

  private OutboxPurgeScheduler(PurgeSettings settings) {
    this.settings = settings;
    task = new RepeatingTask("purger", this::runAndPause, settings.interval());
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Purges now and then at every interval; starting twice is harmless, after close refused. */
  public void start() {
    task.start();
  }

  /** Purges everything that is old enough; a failure is logged. */
  public void runOnce() {
    Instant before = settings.clock().instant().minus(settings.retention());
    long total = 0;
    try {
      int deleted;
      do {
        deleted = purgeBatch(before);
        total += deleted;
      } while (deleted >= settings.batchSize() && !task.isClosed());
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.ERROR, "purge failed; it runs again in " + settings.interval(), e);
    }
    LOG.log(Level.INFO, "purged {0} events that ended before {1}", total, before);
  }

  @Override
  public void close() {
    task.close();
  }

  private Duration runAndPause() {
    runOnce();
    return settings.interval();
  }

  private int purgeBatch(Instant before) throws SQLException {
    return Transactions.onConnection(
        settings.connectionProvider(),
        connection -> settings.purger().purge(connection, before, settings.batchSize()));
  }

  /** Sets up a scheduler; connection provider and purger are required. */
  public static final class Builder {

    private @Nullable ConnectionProvider connectionProvider;
    private @Nullable EventPurger purger;
    private Duration retention = Duration.ofDays(7);
    private int batchSize = 500;
    private Duration interval = Duration.ofHours(1);
    private Clock clock = Clock.systemUTC();

    private Builder() {}

    public Builder connectionProvider(ConnectionProvider connectionProvider) {
      this.connectionProvider = connectionProvider;
      return this;
    }

    public Builder purger(EventPurger purger) {
      this.purger = purger;
      return this;
    }

    /** How long events are kept after they ended; default 7 days. */
    public Builder retention(Duration retention) {
      this.retention = retention;
      return this;
    }

    /** The most events deleted in one transaction; default 500. */
    public Builder batchSize(int batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    /** Default 3600. */
    public Builder intervalSeconds(long intervalSeconds) {
      this.interval = Duration.ofSeconds(intervalSeconds);
      return this;
    }

    /** What age is measured by; default: the system's clock. */
    public Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    public OutboxPurgeScheduler build() {
      return new OutboxPurgeScheduler(
          new PurgeSettings(
              Require.given("connectionProvider", connectionProvider),
              Require.given("purger", purger),
              retention,
              batchSize,
              interval,
              clock));
    }
  }
}
