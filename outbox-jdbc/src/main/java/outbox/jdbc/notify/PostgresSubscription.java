package outbox.jdbc.notify;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.internal.RateLimitedLog;
import outbox.internal.RepeatingTask;
import outbox.internal.SafeLogger;
import outbox.internal.Transactions;
import outbox.spi.Notifications;

/** Listens on a connection of its own, and finds a new one when that is lost. */
final class PostgresSubscription implements Notifications.Subscription {

  private static final Logger LOG = SafeLogger.of(PostgresNotifications.class);
  private static final Duration PAUSE_AFTER_LOSS = Duration.ofSeconds(1);

  /** After this long without a word the connection is tested, because a dead one is silent, too. */
  private static final int SILENCE_MS = 5000;

  private static final int TEST_SECONDS = 5;

  private final DataSource dataSource;
  private final String channel;
  private final Runnable woken;
  private final RateLimitedLog losses = new RateLimitedLog(LOG);
  private final RepeatingTask task = new RepeatingTask("listener", this::listen, PAUSE_AFTER_LOSS);
  private volatile @Nullable Connection current;
  private volatile boolean closed;

  PostgresSubscription(DataSource dataSource, String channel, Runnable woken) {
    this.dataSource = dataSource;
    this.channel = channel;
    this.woken = woken;
    task.start();
  }

  @Override
  public void close() {
    closed = true;
    Connection listening = current;
    if (listening != null) {
      abort(listening); // a read that waits for a notification ends by nothing else
    }
    task.close();
  }

  /** Returns when the connection is lost, or is not to be had. */
  private Duration listen() {
    try (Connection connection = dataSource.getConnection()) {
      current = connection;
      if (!closed) {
        listenOn(connection);
      }
    } catch (SQLException | RuntimeException e) {
      if (!closed) {
        losses.warn(
            1,
            count ->
                "connection for notifications lost; until there is a new one, events of other processes wait for the next poll: count=%d channel=%s"
                    .formatted(count, channel),
            e);
      }
    } finally {
      current = null;
    }
    return PAUSE_AFTER_LOSS;
  }

  /** A pool gets the connection back as it was: it would keep what nobody reads. */
  private void listenOn(Connection connection) throws SQLException {
    DriverNotifications notifications = new DriverNotifications(connection);
    try {
      execute(connection, "LISTEN \"" + channel + '"');
      woken.run(); // for what was sent while nobody listened
      awaitNotifications(connection, notifications);
    } finally {
      unlisten(connection);
    }
  }

  private void awaitNotifications(Connection connection, DriverNotifications notifications)
      throws SQLException {
    while (!closed) {
      if (notifications.await(SILENCE_MS)) {
        woken.run();
      } else if (!Transactions.committed(connection, test -> test.isValid(TEST_SECONDS))) {
        throw new SQLException("the database no longer answers", "08006");
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    Transactions.committedInTime(
        connection,
        tx -> {
          try (Statement statement = tx.createStatement()) {
            return statement.execute(sql);
          }
        });
  }

  private static void unlisten(Connection connection) {
    try {
      execute(connection, "UNLISTEN *");
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.DEBUG, "connection for notifications is lost", e);
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.DEBUG, "connection for notifications was closed already", e);
    }
  }
}
