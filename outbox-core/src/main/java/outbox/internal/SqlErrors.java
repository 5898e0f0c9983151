package outbox.internal;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import outbox.OutboxException;

/** Recognises failures by class and SQLState, never by their text. */
public final class SqlErrors {

  private static final int DEEPEST_CAUSE = 16;

  /** Unreachable, out of resources, or shutting down. */
  private static final Pattern AWAY = Pattern.compile("(08|53|57P).*");

  /**
   * Read-only, a deadlock or a serialization failure, a lock or a statement that took too long: on
   * PostgreSQL, on H2, and where MySQL's and MariaDB's drivers have a state for it.
   */
  private static final Pattern PASSING =
      Pattern.compile("25006|90097|40.*|55P03|HYT00|57014|70100|S1T00");

  /** The same on MySQL and MariaDB; 1020: the row has changed since MariaDB's snapshot. */
  private static final Set<Integer> PASSING_CODES =
      Set.of(1020, 1205, 1213, 1290, 1836, 1969, 3024);

  /** A lock was not to be had in time: on PostgreSQL and H2, and on MySQL and MariaDB. */
  private static final Pattern LOCKED = Pattern.compile("55P03|HYT00");

  private static final Set<Integer> LOCKED_CODES = Set.of(1205);

  private SqlErrors() {}

  /** The database can't be reached: whatever was tried would have failed. */
  public static boolean isConnectionFailure(Throwable failure) {
    return hasCause(failure, t -> t instanceof SQLException e && isConnectionFailure(e));
  }

  /**
   * The database can't do it now, and no row is to blame: it is away, read-only, busy or in
   * conflict, so the same will succeed in time.
   */
  public static boolean isPassing(Throwable failure) {
    return hasCause(
        failure, t -> t instanceof SQLException e && (isConnectionFailure(e) || isPassing(e)));
  }

  /** Somebody else kept locked what the statement needed, for longer than it waits for that. */
  public static boolean isLockTimeout(Throwable failure) {
    return hasCause(
        failure,
        t ->
            t instanceof SQLException e
                && (hasState(e, LOCKED) || LOCKED_CODES.contains(e.getErrorCode())));
  }

  /** What {@link #isLockTimeout} recognises, about a row that is known to be locked. */
  public static SQLException lockedRow() {
    return new SQLTransientException("another transaction keeps the row locked", "HYT00");
  }

  /** The statement itself is wrong for this database, now and always. */
  public static boolean isBadStatement(Throwable failure) {
    return hasCause(
        failure,
        t ->
            t instanceof SQLException e
                && e.getSQLState() != null
                && e.getSQLState().startsWith("42"));
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
    return e instanceof SQLTransientConnectionException
        || e instanceof SQLNonTransientConnectionException
        || e instanceof SQLRecoverableException
        || hasState(e, AWAY);
  }

  private static boolean isPassing(SQLException e) {
    return hasState(e, PASSING) || PASSING_CODES.contains(e.getErrorCode());
  }

  private static boolean hasState(SQLException e, Pattern states) {
    return e.getSQLState() != null && states.matcher(e.getSQLState()).matches();
  }
}
