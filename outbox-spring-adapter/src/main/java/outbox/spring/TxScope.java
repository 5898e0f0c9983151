package outbox.spring;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.internal.SafeLogger;
import outbox.spi.TxCallbacks;

/**
 * One transaction as Spring reports it: whether it can still be written to, and what is to run at
 * its end.
 */
final class TxScope implements TransactionSynchronization {

  private static final Logger LOG = SafeLogger.of(SpringTxContext.class);

  private enum State {
    OPEN,
    SUSPENDED,
    ENDED
  }

  private TxCallbacks callbacks = new TxCallbacks();
  private State state = State.OPEN;
  private boolean committed;

  private TxScope() {}

  /** Follows the innermost transaction of this thread from now on. */
  static TxScope register() {
    TxScope scope = new TxScope();
    TransactionSynchronizationManager.registerSynchronization(scope);
    return scope;
  }

  boolean isOpen() {
    return state == State.OPEN;
  }

  void afterCommit(Runnable callback) {
    callbacks.afterCommit(callback);
  }

  void afterRollback(Runnable callback) {
    callbacks.afterRollback(callback);
  }

  /** First, so that whatever else runs after the commit finds this transaction ended. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public void suspend() {
    state = State.SUSPENDED;
  }

  @Override
  public void resume() {
    state = State.OPEN;
  }

  @Override
  public void savepoint(Object savepoint) {
    callbacks.savepointSet(savepoint);
  }

  @Override
  public void savepointRollback(Object savepoint) {
    callbacks.rolledBackTo(savepoint);
  }

  @Override
  public void afterCommit() {
    committed = true;
    state = State.ENDED;
  }

  /**
   * Callbacks run here and not in {@link #afterCommit()}, from where an exception would reach the
   * caller and skip the callbacks of others.
   */
  @Override
  public void afterCompletion(int status) {
    state = State.ENDED;
    if (status == STATUS_COMMITTED && !committed) {
      LOG.log(
          Level.ERROR,
          "an event was written after its transaction had committed, from an afterCommit"
              + " synchronization; it may be lost: write there in a new transaction"
              + " (REQUIRES_NEW)");
    }
    boolean kept = status == STATUS_COMMITTED && committed;
    List<Runnable> ended = kept ? callbacks.ofCommit() : callbacks.ofRollback();
    callbacks = new TxCallbacks(); // Spring may keep this for long, and events must go
    ended.forEach(callback -> run(callback, kept));
  }

  private static void run(Runnable callback, boolean committed) {
    try {
      callback.run();
    } catch (Throwable e) {
      LOG.log(
          Level.ERROR,
          "callback failed after the %s; the transaction is not affected and the others still run"
              .formatted(committed ? "commit" : "rollback"),
          e);
    }
  }
}
