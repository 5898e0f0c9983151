package outbox.jdbc.notify;

import java.lang.System.Logger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import outbox.internal.RateLimitedLog;
import outbox.internal.RepeatingTask;
import outbox.internal.SafeLogger;
import outbox.internal.Transactions;
import outbox.spi.Notifications;

/** Sends on a thread of its own; whatever comes while it sends goes out as one. */
final class PostgresSender implements Notifications.Sender {

  private static final Logger LOG = SafeLogger.of(PostgresNotifications.class);
  private static final Duration UNTIL_WOKEN = Duration.ofDays(1);

  /** Keeps a stream of commits from becoming a stream of notifications. */
  private static final long PAUSE_NANOS = Duration.ofMillis(2).toNanos();

  private final DataSource dataSource;
  private final String channel;
  private final AtomicBoolean pending = new AtomicBoolean();
  private final RateLimitedLog failures = new RateLimitedLog(LOG);
  private final RepeatingTask task = new RepeatingTask("notifier", this::run, UNTIL_WOKEN);

  PostgresSender(DataSource dataSource, String channel) {
    this.dataSource = dataSource;
    this.channel = channel;
    task.start();
  }

  @Override
  public void send() {
    if (pending.compareAndSet(false, true)) {
      task.wake();
    }
  }

  @Override
  public void close() {
    task.close();
    run(); // what was committed just before
  }

  private Duration run() {
    if (pending.getAndSet(false)) {
      try {
        Transactions.onConnection(dataSource::getConnection, this::notifyOthers);
      } catch (SQLException | RuntimeException e) {
        failures.warn(
            1,
            count ->
                "others could not be notified of new events and find them at their next poll: count=%d channel=%s"
                    .formatted(count, channel),
            e);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return UNTIL_WOKEN;
  }

  private boolean notifyOthers(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, '')")) {
      statement.setString(1, channel);
      return statement.execute();
    }
  }
}
