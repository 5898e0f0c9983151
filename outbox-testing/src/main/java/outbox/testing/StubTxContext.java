package outbox.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.ConnectionProvider;
import outbox.spi.TxCallbacks;
import outbox.spi.TxContext;

/**
 * Transactions that a test begins and ends by hand, one at a time on each thread.
 *
 * <p>With a connection provider they are real: {@link #begin} takes a connection, {@link #commit}
 * and {@link #rollback} end its transaction, and savepoints on it are noticed. Without one the
 * connection is null and only the callbacks run, so a rollback undoes nothing. What a callback
 * throws reaches the caller, after the other callbacks.
 */
public final class StubTxContext implements TxContext {

  private static final class Tx {

    private final @Nullable Connection connection;
    private final TxCallbacks callbacks = new TxCallbacks();
    private final @Nullable Connection followed;

    Tx(@Nullable Connection connection) {
      this.connection = connection;
      followed = connection == null ? null : callbacks.follow(connection);
    }
  }

  private final @Nullable ConnectionProvider connections;

  @SuppressWarnings("ThreadLocalUsage") // transactions of one context mean nothing to another
  private final ThreadLocal<@Nullable Tx> current = new ThreadLocal<>();

  public StubTxContext() {
    this.connections = null;
  }

  public StubTxContext(ConnectionProvider connections) {
    this.connections = connections;
  }

  public void begin() {
    if (current.get() != null) {
      throw new IllegalStateException("a transaction is active already; commit or roll back first");
    }
    current.set(new Tx(connections == null ? null : open(connections)));
  }

  public void commit() {
    Tx tx = active();
    current.remove();
    try {
      end(tx.connection, true);
    } catch (SQLException e) {
      run(tx.callbacks.ofRollback());
      throw new IllegalStateException("commit failed", e);
    }
    run(tx.callbacks.ofCommit());
  }

  public void rollback() {
    Tx tx = active();
    current.remove();
    try {
      end(tx.connection, false);
    } catch (SQLException e) {
      throw new IllegalStateException("rollback failed", e);
    } finally {
      run(tx.callbacks.ofRollback());
    }
  }

  /** Runs the work in a transaction, which is rolled back if the work throws. */
  public void inTransaction(Runnable work) {
    begin();
    try {
      work.run();
    } catch (Throwable e) {
      rollback();
      throw e;
    }
    commit();
  }

  @Override
  public boolean isTransactionActive() {
    return current.get() != null;
  }

  @Override
  @SuppressWarnings("NullAway") // without a provider there is none, which in-memory stores accept
  public Connection currentConnection() {
    return active().followed;
  }

  @Override
  public void afterCommit(Runnable callback) {
    active().callbacks.afterCommit(callback);
  }

  @Override
  public void afterRollback(Runnable callback) {
    active().callbacks.afterRollback(callback);
  }

  private Tx active() {
    Tx tx = current.get();
    if (tx == null) {
      throw new IllegalStateException(
          "no transaction is active on this thread; call begin() first");
    }
    return tx;
  }

  private static @Nullable Connection open(ConnectionProvider connections) {
    try {
      Connection connection = connections.getConnection();
      if (connection != null) {
        connection.setAutoCommit(false);
      }
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException("could not begin a transaction", e);
    }
  }

  private static void end(@Nullable Connection connection, boolean commit) throws SQLException {
    if (connection == null) {
      return;
    }
    try (connection) {
      if (commit) {
        connection.commit();
      } else {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }

  private static void run(List<Runnable> callbacks) {
    RuntimeException first = null;
    for (Runnable callback : callbacks) {
      try {
        callback.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
