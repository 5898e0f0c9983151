package outbox.spring;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One transaction as Spring reports it: whether it can still be written to, and what is to run at
 * its end.
 */
final class TxScope implements TransactionSynchronization {

  private static final Logger LOG = System.getLogger(SpringTxContext.class.getName());

  private enum State {
    OPEN,
    SUSPENDED,
    ENDED
  }

  private static final class Callback {
    final Runnable action;
    final boolean onCommit;
    boolean rolledBack;

    Callback(Runnable action, boolean onCommit) {
      this.action = Objects.requireNonNull(action, "callback must not be null");
      this.onCommit = onCommit;
    }
  }

  private final List<Callback> callbacks = new ArrayList<>();

  /** How many callbacks there were when each savepoint was set. */
  private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>();

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
    callbacks.add(new Callback(callback, true));
  }

  void afterRollback(Runnable callback) {
    callbacks.add(new Callback(callback, false));
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
    savepoints.put(savepoint, callbacks.size());
  }

  /** A savepoint that isn't known is older than this scope. */
  @Override
  public void savepointRollback(Object savepoint) {
    int kept = savepoints.getOrDefault(savepoint, 0);
    callbacks.stream().skip(kept).forEach(callback -> callback.rolledBack = true);
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
    callbacks.stream()
        .filter(callback -> callback.onCommit == (kept && !callback.rolledBack))
        .forEach(TxScope::run);
  }

  private static void run(Callback callback) {
    try {
      callback.action.run();
    } catch (Throwable e) {
      LOG.log(
          Level.ERROR,
          "callback failed after the %s; the transaction is not affected and the others still run"
              .formatted(callback.onCommit ? "commit" : "rollback"),
          e);
    }
  }
}
