package outbox.jdbc.notify;

import java.util.Locale;
import java.util.Objects;
import javax.sql.DataSource;
import outbox.jdbc.TableName;
import outbox.spi.Notifications;

/**
 * Wake-ups by PostgreSQL's NOTIFY and LISTEN, on one channel per outbox table.
 *
 * <p>Notifications are sent after the commit, never in the business transaction, which would make
 * commits wait for each other. A subscriber keeps one connection for as long as it is subscribed; a
 * lost one is replaced. Needs PostgreSQL's own driver, which a pool may wrap, and no statement
 * pooler in between. Safe for all threads.
 */
public final class PostgresNotifications implements Notifications {

  private final DataSource dataSource;
  private final String channel;

  public PostgresNotifications(DataSource dataSource) {
    this(dataSource, TableName.DEFAULT);
  }

  public PostgresNotifications(DataSource dataSource, TableName table) {
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    channel = channel(table);
  }

  /** An identifier of PostgreSQL's, which has 63 bytes at most. */
  private static String channel(TableName table) {
    String name = table.toString().replace('.', '_').toLowerCase(Locale.ROOT);
    return name.length() <= 63 ? name : "outbox_" + Integer.toHexString(name.hashCode());
  }

  @Override
  public Sender sender() {
    return new PostgresSender(dataSource, channel);
  }

  @Override
  public Subscription subscribe(Runnable woken) {
    Objects.requireNonNull(woken, "woken must not be null");
    return new PostgresSubscription(dataSource, channel, woken);
  }
}
