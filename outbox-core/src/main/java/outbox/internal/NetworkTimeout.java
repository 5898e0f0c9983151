package outbox.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Ends calls of the engine that a database or a network never answers, so that a hanging connection
 * can't stop deliveries for good. A shorter timeout of the application's own stays.
 */
final class NetworkTimeout {

  static final int MILLIS = (int) Duration.ofSeconds(30).toMillis();

  /** What runs under the timeout. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws SQLException;
  }

  private NetworkTimeout() {}

  /** The connection goes back to its pool as it came. */
  static <T> T during(Connection connection, Call<T> call) throws SQLException {
    int before = current(connection);
    boolean isChanged = (before == 0 || before > MILLIS) && set(connection, MILLIS);
    try {
      return call.run();
    } finally {
      if (isChanged) {
        set(connection, before);
      }
    }
  }

  /** Negative if the driver can't tell. */
  private static int current(Connection connection) {
    try {
      return connection.getNetworkTimeout();
    } catch (SQLException | RuntimeException | AbstractMethodError e) {
      return -1;
    }
  }

  private static boolean set(Connection connection, int millis) {
    try {
      connection.setNetworkTimeout(Runnable::run, millis);
      return true;
    } catch (SQLException | RuntimeException | AbstractMethodError e) {
      return false; // not supported, or the connection is broken, which its next use will tell
    }
  }
}
