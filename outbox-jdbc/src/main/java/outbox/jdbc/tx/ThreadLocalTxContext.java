package outbox.jdbc.tx;

import java.sql.Connection;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;
import outbox.spi.TxContext;

/**
 * The transaction that {@link JdbcTransactionManager#begin} opened on the calling thread. One
 * context may serve all threads of an application.
 *
 * <p>What is written after a savepoint and taken back by {@link Connection#rollback(Savepoint)}
 * counts as rolled back, if the savepoint was set on {@link #currentConnection} and rolled back
 * there.
 */
public final class ThreadLocalTxContext implements TxContext {

  @SuppressWarnings("ThreadLocalUsage") // one per context: an application may have several
  private final ThreadLocal<@Nullable BoundTransaction> bound = new ThreadLocal<>();

  @Override
  public boolean isTransactionActive() {
    return current() != null;
  }

  /**
   * {@inheritDoc} It unwraps to the driver's.
   *
   * @throws IllegalStateException if no transaction is active
   */
  @Override
  public Connection currentConnection() {
    return require().followed();
  }

  @Override
  public void afterCommit(Runnable callback) {
    require().callbacks().afterCommit(callback);
  }

  @Override
  public void afterRollback(Runnable callback) {
    require().callbacks().afterRollback(callback);
  }

  void requireNone() {
    if (isTransactionActive()) {
      throw new IllegalStateException(
          "a transaction is already active on this thread; commit, roll back or close it first");
    }
  }

  void bind(BoundTransaction transaction) {
    bound.set(transaction);
  }

  /**
   * Leaves alone what another transaction bound since. The thread keeps an empty place for the next
   * one, which is cheaper than a new one for each transaction, and holds nothing.
   */
  void unbind(BoundTransaction transaction) {
    if (bound.get() == transaction) {
      bound.set(null);
    }
  }

  private @Nullable BoundTransaction current() {
    BoundTransaction transaction = bound.get();
    return transaction == null || transaction.hasEnded() ? null : transaction;
  }

  private BoundTransaction require() {
    BoundTransaction transaction = current();
    if (transaction == null) {
      throw new IllegalStateException(
          "no transaction is active on this thread; call JdbcTransactionManager.begin() first");
    }
    return transaction;
  }
}
