package outbox.dead;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import outbox.internal.SafeLogger;
import outbox.internal.SqlErrors;
import outbox.internal.Transactions;
import outbox.spi.ConnectionProvider;

/** Asks the database; where it fails, that is logged and there is another answer. */
record LoggedAnswers(ConnectionProvider connections) {

  private static final Logger LOG = SafeLogger.of(DeadEventManager.class);

  /** The operation completes the sentence "could not …". */
  <T> T answer(String operation, T otherwise, Transactions.Work<T> work) {
    try {
      return Transactions.onConnection(connections, work);
    } catch (SQLException | RuntimeException e) {
      if (e instanceof RuntimeException failure && !SqlErrors.isSqlFailure(failure)) {
        throw failure;
      }
      LOG.log(Level.ERROR, () -> "could not " + operation + "; nothing was changed by it", e);
      return otherwise;
    }
  }
}
