package outbox.spi;

import java.sql.Connection;

/** The business transaction of the calling thread, as its framework manages it. */
public interface TxContext {

  boolean isTransactionActive();

  /**
   * Returns if a transaction is active; a context that knows better says why there is none.
   *
   * @throws IllegalStateException if no transaction is active
   */
  default void requireTransaction() {
    if (!isTransactionActive()) {
      throw new IllegalStateException(
          "no transaction is active on this thread; call write inside"
              + " JdbcTransactionManager.begin() or a @Transactional method");
    }
  }

  /** The very connection the business statements run on; its owner closes it. */
  Connection currentConnection();

  /**
   * Runs the callback after a successful commit, and only then; a rollback to an earlier savepoint
   * takes it back.
   *
   * @throws IllegalStateException if no transaction is active
   */
  void afterCommit(Runnable callback);

  /**
   * Runs the callback when the transaction ends in any other way than a successful commit, and even
   * after one if a rollback to an earlier savepoint took back what it stands for.
   *
   * @throws IllegalStateException if no transaction is active
   */
  void afterRollback(Runnable callback);
}
