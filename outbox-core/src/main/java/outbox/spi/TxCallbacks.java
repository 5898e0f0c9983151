package outbox.spi;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The callbacks of one transaction, for those who implement {@link TxContext}: tells which of them
 * are to run at its end, and counts what a rollback to a savepoint took back as rolled back.
 *
 * <p>Whoever is told about savepoints by a framework passes it on; where there is none, {@link
 * #follow} notices them on the connection. Belongs to one thread, as a transaction does.
 */
public final class TxCallbacks {

  private static final class Callback {
    private final Runnable action;
    private final boolean onCommit;
    private boolean takenBack;

    Callback(Runnable action, boolean onCommit) {
      this.action = Objects.requireNonNull(action, "callback must not be null");
      this.onCommit = onCommit;
    }
  }

  private final List<Callback> callbacks = new ArrayList<>();

  /** How many callbacks there were when each savepoint was set. */
  private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>(1);

  public void afterCommit(Runnable callback) {
    callbacks.add(new Callback(callback, true));
  }

  public void afterRollback(Runnable callback) {
    callbacks.add(new Callback(callback, false));
  }

  public void savepointSet(Object savepoint) {
    savepoints.put(savepoint, callbacks.size());
  }

  /** What was registered since the savepoint now belongs to the one before, or to the whole. */
  public void savepointReleased(Object savepoint) {
    savepoints.remove(savepoint);
  }

  /**
   * Takes back what was registered since the savepoint was set. One that isn't known may have been
   * set before anything else, so everything is taken back: what is delivered late is not lost, what
   * is delivered without a row was never written.
   */
  public void rolledBackTo(Object savepoint) {
    takeBackFrom(savepoints.getOrDefault(savepoint, 0));
  }

  /** Takes back everything, though the transaction may go on. */
  public void rolledBack() {
    takeBackFrom(0);
  }

  /** What is to run now that the transaction has committed, in the order of registration. */
  public List<Runnable> ofCommit() {
    return actions(callback -> callback.onCommit != callback.takenBack);
  }

  /** What is to run if the transaction has ended in any other way. */
  public List<Runnable> ofRollback() {
    return actions(callback -> !callback.onCommit);
  }

  /**
   * The same connection, with an eye on its savepoints and on {@link Connection#rollback()}. Still
   * unwraps to what the driver made; savepoints that are set or rolled back there, or by the text
   * of a statement, go unnoticed.
   */
  public Connection follow(Connection connection) {
    return new FollowedConnection(connection, this);
  }

  private List<Runnable> actions(Predicate<Callback> wanted) {
    List<Runnable> actions = new ArrayList<>(callbacks.size());
    for (Callback callback : callbacks) {
      if (wanted.test(callback)) {
        actions.add(callback.action);
      }
    }
    return actions;
  }

  private void takeBackFrom(int index) {
    callbacks.subList(index, callbacks.size()).forEach(callback -> callback.takenBack = true);
  }
}
