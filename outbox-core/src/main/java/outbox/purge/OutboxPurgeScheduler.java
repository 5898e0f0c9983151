package outbox.purge;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import outbox.internal.RepeatingTask;
import outbox.internal.Require;
import outbox.internal.SafeLogger;
import outbox.internal.SqlErrors;
import outbox.internal.Transactions;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventArchiver;
import outbox.spi.EventPurger;
import outbox.util.Nullable;

/**
 * Deletes DONE events some time after they ended, so that the table stays small, and keeps DEAD
 * ones unless told otherwise.
 *
 * <p>Each run deletes batch after batch, every batch on a connection and in a transaction of its
 * own, until one comes back short. The first run begins at the start. Several nodes may purge one
 * table. Safe for all threads.
 */
public final class OutboxPurgeScheduler implements AutoCloseable {

  private static final Logger LOG = SafeLogger.of(OutboxPurgeScheduler.class);

  private static final int MOST_CONFLICTS = 5;

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
    if (task.start()) {
      LOG.log(
          Level.INFO,
          "purger started: deletes {0}, every {1}",
          settings.describe(),
          settings.interval());
    }
  }

  /** Purges everything that is old enough; a failure is logged. */
  public void runOnce() {
    for (PurgeRule rule : settings.rules()) {
      run(rule);
      if (task.isClosed()) {
        break;
      }
    }
  }

  @Override
  public void close() {
    task.close();
  }

  private Duration runAndPause() {
    runOnce();
    return settings.interval();
  }

  private void run(PurgeRule rule) {
    Instant before = settings.clock().instant().minus(rule.retention());
    long total = 0;
    try {
      int deleted;
      do {
        deleted = purgeBatch(rule.purger(), before);
        total += deleted;
      } while (deleted >= settings.batchSize() && !task.isClosed());
    } catch (SQLException | RuntimeException e) {
      LOG.log(
          Level.ERROR,
          "purge failed for %s events; it runs again in %s"
              .formatted(rule.events(), settings.interval()),
          e);
    }
    LOG.log(Level.INFO, "purged {0} {1} events from before {2}", total, rule.events(), before);
  }

  /** Those who purge one table at once may deadlock, and then the next try succeeds. */
  private int purgeBatch(EventPurger purger, Instant before) throws SQLException {
    for (int conflicts = 0; ; conflicts++) {
      try {
        return Transactions.onConnection(
            settings.connectionProvider(),
            connection -> purger.purge(connection, before, settings.batchSize()));
      } catch (SQLException | RuntimeException e) {
        if (conflicts == MOST_CONFLICTS || !isConflict(e) || task.isClosed()) {
          throw e;
        }
      }
    }
  }

  private static boolean isConflict(Exception failure) {
    return SqlErrors.isPassing(failure) && !SqlErrors.isConnectionFailure(failure);
  }

  /** Sets up a scheduler; connection provider and purger are required. */
  public static final class Builder {

    private @Nullable ConnectionProvider connectionProvider;
    private @Nullable EventPurger purger;
    private Duration retention = Duration.ofDays(7);
    private @Nullable Duration deadRetention;
    private @Nullable Duration appendOnlyRetention;
    private EventArchiver archiver = EventArchiver.NONE;
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

    /**
     * How long DONE events are kept after they ended; default 7 days. A purger that can't tell them
     * apart deletes DEAD events by it, too, and a WARNING says so.
     */
    public Builder retention(Duration retention) {
      this.retention = retention;
      return this;
    }

    /** How long DEAD events are kept after they ended; default: until someone deals with them. */
    public Builder deadRetention(Duration deadRetention) {
      this.deadRetention = Objects.requireNonNull(deadRetention, "deadRetention must not be null");
      return this;
    }

    /**
     * How long NEW events are kept after they were created, for a table that nothing is ever
     * delivered from: change data capture reads the log, and nobody writes a status. Default: until
     * they are delivered. <b>Where a relay works on the table, this deletes what it hasn't got
     * round to</b>; only claimed and retried events are safe from it.
     */
    public Builder appendOnlyRetention(Duration appendOnlyRetention) {
      this.appendOnlyRetention =
          Objects.requireNonNull(appendOnlyRetention, "appendOnlyRetention must not be null");
      return this;
    }

    /** Whether it deletes what nobody has delivered. */
    public boolean isAppendOnly() {
      return appendOnlyRetention != null;
    }

    /** Keeps what is deleted, whatever its kind; default: nobody does. */
    public Builder archiver(EventArchiver archiver) {
      this.archiver = archiver;
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
      ConnectionProvider connections = Require.given("connectionProvider", connectionProvider);
      EventPurger from = Require.given("purger", purger);
      var retentions =
          new PurgeRule.Retentions(retention, deadRetention, appendOnlyRetention, archiver);
      PurgeSettings settings =
          new PurgeSettings(
              connections, PurgeRule.of(retentions, from), batchSize, interval, clock);
      if (!from.isSelective()) {
        LOG.log(
            Level.WARNING,
            "{0} does not tell DONE from DEAD: dead events are deleted {1} after they died",
            from.getClass().getName(),
            retention);
      }
      return new OutboxPurgeScheduler(settings);
    }
  }
}
