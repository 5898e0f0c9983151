package outbox.jdbc;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.internal.SqlErrors;
import outbox.internal.ToldFailure;

/**
 * Makes a driver's exception fit to be logged. Drivers quote rows: PostgreSQL's detail shows the
 * whole failing row, its driver repeats a failed batch with all values, H2 and MySQL quote the
 * value that didn't fit.
 *
 * <p>What remains is the first line where the SQLState says that the statement, the connection or a
 * lock is the matter, and no text at all where it may be the data; SQLState, vendor code and stack
 * trace always remain.
 */
final class Redaction {

  /**
   * Connection, transaction, authorization, names, conflicts, syntax, resources, locks, operator.
   */
  private static final Set<String> CLASSES_WITHOUT_DATA =
      Set.of("08", "25", "28", "3D", "3F", "40", "41", "42", "53", "55", "57", "90");

  private static final String TIMEOUT = "HYT00";

  private Redaction() {}

  static SQLException of(SQLException failure) {
    SQLException cause = withoutBatch(failure);
    if (SqlErrors.isConnectionFailure(cause) && !(cause instanceof BatchUpdateException)) {
      return connectionFailure(cause);
    }
    SQLException redacted =
        new SQLException(text(cause), cause.getSQLState(), cause.getErrorCode());
    redacted.setStackTrace(cause.getStackTrace());
    return redacted;
  }

  /**
   * Whole, unless a driver was told to show statements with their values, which takes more lines.
   */
  private static SQLException connectionFailure(SQLException failure) {
    if (failure.getNextException() == null
        && ToldFailure.of(failure, Redaction::firstLine) == failure) {
      return failure;
    }
    Throwable cause = failure.getCause();
    Throwable told = cause == null ? null : ToldFailure.of(cause, Redaction::firstLine);
    String text = firstLine(failure.getMessage());
    SQLException redacted =
        failure instanceof SQLTransientConnectionException
            ? new SQLTransientConnectionException(
                text, failure.getSQLState(), failure.getErrorCode(), told)
            : new SQLNonTransientConnectionException(
                text, failure.getSQLState(), failure.getErrorCode(), told);
    redacted.setStackTrace(failure.getStackTrace());
    return redacted;
  }

  private static SQLException withoutBatch(SQLException failure) {
    SQLException next = failure.getNextException();
    return failure instanceof BatchUpdateException && next != null ? next : failure;
  }

  private static String text(SQLException failure) {
    String known =
        "SQLState %s, vendor code %d, %s"
            .formatted(
                failure.getSQLState(), failure.getErrorCode(), failure.getClass().getSimpleName());
    return failure instanceof BatchUpdateException || mayQuoteData(failure.getSQLState())
        ? known + " (its text is left out because it may quote the event)"
        : known + ": " + firstLine(failure.getMessage());
  }

  private static boolean mayQuoteData(@Nullable String state) {
    return state == null
        || state.length() < 2
        || !(CLASSES_WITHOUT_DATA.contains(state.substring(0, 2)) || state.equals(TIMEOUT));
  }

  private static String firstLine(@Nullable String message) {
    return message == null ? "no message" : message.lines().findFirst().orElse("");
  }
}
