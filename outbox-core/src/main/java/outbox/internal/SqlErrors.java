package outbox.internal;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.function.Predicate;
import outbox.OutboxException;

/** Recognises failures by class and SQLState, never by their text. */
public final class SqlErrors {

  private static final int DEEPEST_CAUSE = 16;

  private SqlErrors() {}

  /** The database can't be reached: whatever was tried would have failed. */
  public static boolean isConnectionFailure(Throwable failure) {
    return hasCause(failure, t -> t instanceof SQLException e && isConnectionFailure(e));
  }

  /**
   * A store reports a failing database by an exception of ours, or by one that was caused by it.
   */
  public static boolean isSqlFailure(Throwable failure) {
    return hasCause(failure, t -> t instanceof SQLException || t instanceof OutboxException);
  }

  private static boolean hasCause(Throwable failure, Predicate<Throwable> condition) {
    Throwable t = failure;
    for (int depth = 0; t != null && depth < DEEPEST_CAUSE; depth++, t = t.getCause()) {
      if (condition.test(t)) {
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
        || (state != null && state.matches("(08|53|57P).*"));
  }
}
