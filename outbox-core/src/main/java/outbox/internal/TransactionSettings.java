package outbox.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import outbox.util.Nullable;

/**
 * What a connection is set to for one transaction of the engine's: it is set back when that has
 * been committed or rolled back, and not before, so that the setting holds to the very end.
 */
public final class TransactionSettings {

  private static final Logger LOG = SafeLogger.of(TransactionSettings.class);

  /** The innermost transaction of the thread. */
  private static final ThreadLocal<@Nullable TransactionSettings> CURRENT = new ThreadLocal<>();

  private final Connection connection;
  private final @Nullable TransactionSettings outer;
  private final List<String> undo = new ArrayList<>();

  private TransactionSettings(Connection connection, @Nullable TransactionSettings outer) {
    this.connection = connection;
    this.outer = outer;
  }

  /** Of a transaction that begins; to be set back by the same thread when it has ended. */
  static TransactionSettings of(Connection connection) {
    TransactionSettings settings = new TransactionSettings(connection, CURRENT.get());
    CURRENT.set(settings);
    return settings;
  }

  /** Runs work that is in no transaction as if it were one: what it sets is set back after it. */
  public static <T> T during(Connection connection, Transactions.Work<T> work) throws SQLException {
    TransactionSettings settings = of(connection);
    try {
      return work.on(connection);
    } finally {
      settings.setBack();
    }
  }

  /** Whether this thread has a transaction of the engine's on the connection. */
  public static boolean areOf(Connection connection) {
    return find(connection) != null;
  }

  /**
   * Executes a statement for the transaction that this thread has on the connection, and {@code
   * setBack}, if it isn't null, after its end: one of those that are set back alike. In a
   * transaction that is not the engine's it does nothing, because nobody would set that back.
   */
  public static void set(Connection connection, String statement, @Nullable String setBack)
      throws SQLException {
    TransactionSettings settings = find(connection);
    if (settings == null || settings.undo.contains(setBack)) {
      return;
    }
    if (setBack != null) {
      settings.undo.add(setBack); // also if it fails: nobody knows whether it had an effect
    }
    execute(connection, statement);
  }

  private static @Nullable TransactionSettings find(Connection connection) {
    TransactionSettings settings = CURRENT.get();
    while (settings != null && settings.connection != connection) {
      settings = settings.outer;
    }
    return settings;
  }

  /** The transaction has ended as it has; a connection that can't be set back is a broken one. */
  void setBack() {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
    try {
      for (int i = undo.size() - 1; i >= 0; i--) {
        execute(connection, undo.get(i));
      }
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.DEBUG, "connection could not be set back after its transaction", e);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
