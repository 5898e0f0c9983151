package outbox.internal;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;

/** Recognises failures by class and SQLState, never by their text. */
public final class SqlErrors {

  private static final int DEEPEST_CAUSE = 16;

  private SqlErrors() {}

  /** The database can't be reached: whatever was tried would have failed. */
  public static boolean isConnectionFailure(Throwable failure) {
    Throwable t = failure;
    for (int depth = 0; t != null && depth < DEEPEST_CAUSE; depth++, t = t.getCause()) {
      if (t instanceof SQLException e && isConnectionFailure(e)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isConnectionFailure(SQLException e) {
    String state = e.getSQLState();
    return e instanceof SQLTransientConnectionException
        || e instanceof SQLNonTransientConnectionException
        || e instanceof SQLRecoverableException
        || (state != null && (state.startsWith("08") || state.startsWith("57P")));
  }
}
