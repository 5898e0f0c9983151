package outbox.spi;

import java.sql.Connection;

/** The business transaction of the calling thread, as its framework manages it. */
public interface TxContext {

  boolean isTransactionActive();

  /** The very connection the business statements run on; its owner closes it. */
  Connection currentConnection();

  /**
   * Runs the callback after a successful commit, and only then.
   *
   * @throws IllegalStateException if no transaction is active
   */
  void afterCommit(Runnable callback);

  /**
   * Runs the callback when the transaction ends in any other way than a successful commit.
   *
   * @throws IllegalStateException if no transaction is active
   */
  void afterRollback(Runnable callback);
}
