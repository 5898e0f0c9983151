package outbox.jdbc.tx;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import outbox.internal.SafeLogger;
import outbox.spi.ConnectionProvider;

/**
 * Opens transactions for applications that have no framework for it, one per thread at a time.
 *
 * <p>Safe for all threads; a transaction belongs to the thread that began it.
 *
 * <pre>{@code
 * try (var tx = transactions.begin()) {
 *   orders.insert(txContext.currentConnection(), order);
 *   writer.write("OrderPlaced", json);
 *   tx.commit();
 * }
 * }</pre>
 */
public final class JdbcTransactionManager {

  private static final Logger LOG = SafeLogger.of(JdbcTransactionManager.class);

  private final ConnectionProvider connectionProvider;
  private final ThreadLocalTxContext txContext;

  public JdbcTransactionManager(
      ConnectionProvider connectionProvider, ThreadLocalTxContext txContext) {
    this.connectionProvider =
        Objects.requireNonNull(connectionProvider, "connectionProvider must not be null");
    this.txContext = Objects.requireNonNull(txContext, "txContext must not be null");
  }

  /**
   * Takes a connection, turns auto-commit off, and makes it this thread's transaction.
   *
   * @throws IllegalStateException if this thread already has one
   */
  public Transaction begin() throws SQLException {
    txContext.requireNone();
    Connection connection = connectionProvider.getConnection();
    try {
      return bind(connection);
    } catch (Throwable e) {
      close(connection, e);
      throw e;
    }
  }

  private Transaction bind(Connection connection) throws SQLException {
    BoundTransaction bound = new BoundTransaction(connection);
    Transaction transaction = new Transaction(txContext, bound, connection.getAutoCommit());
    connection.setAutoCommit(false);
    txContext.bind(bound);
    return transaction;
  }

  private static void close(Connection connection, Throwable cause) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** A transaction under way. Closing it without a commit rolls it back. */
  public static final class Transaction implements outbox.spi.Transaction {

    private final ThreadLocalTxContext txContext;
    private final BoundTransaction bound;
    private final Connection connection;
    private final boolean autoCommit;
    private boolean committed;

    private Transaction(
        ThreadLocalTxContext txContext, BoundTransaction bound, boolean autoCommit) {
      this.txContext = txContext;
      this.bound = bound;
      this.connection = bound.connection();
      this.autoCommit = autoCommit;
    }

    /**
     * Commits, gives the connection back, then runs the callbacks for a commit: all of them, and
     * the first exception is thrown with the others suppressed. If the commit fails, everything is
     * rolled back, the callbacks for a rollback run, and its exception is thrown.
     *
     * @throws IllegalStateException if the transaction has ended
     */
    @Override
    public void commit() throws SQLException {
      if (bound.hasEnded()) {
        throw new IllegalStateException("the transaction has ended; call begin() for another one");
      }
      end();
      try {
        connection.commit();
      } catch (Throwable e) {
        rollBackAfter(e);
        throw e;
      }
      committed = true;
      release();
      bound.runAfterCommit();
    }

    /**
     * Rolls back, gives the connection back, then runs the callbacks for a rollback. Has no effect
     * on a transaction that was rolled back before.
     *
     * @throws IllegalStateException if the transaction was committed
     */
    @Override
    public void rollback() throws SQLException {
      if (committed) {
        throw new IllegalStateException(
            "the transaction was committed and can't be rolled back any more");
      }
      if (bound.hasEnded()) {
        return;
      }
      end();
      try {
        connection.rollback();
      } catch (Throwable e) {
        release();
        bound.runAfterRollback(e);
        throw e;
      }
      release();
      bound.runAfterRollback(null);
    }

    @Override
    public void close() throws SQLException {
      if (!bound.hasEnded()) {
        rollback();
      }
    }

    /** Before any callback runs, so that one may begin a transaction of its own. */
    private void end() {
      bound.end();
      txContext.unbind(bound);
    }

    private void rollBackAfter(Throwable failure) {
      try {
        connection.rollback();
      } catch (SQLException | RuntimeException e) {
        failure.addSuppressed(e);
      }
      release();
      bound.runAfterRollback(failure);
    }

    /** The outcome stands; a connection that can't be given back is the pool's trouble. */
    private void release() {
      try (connection) {
        connection.setAutoCommit(autoCommit);
      } catch (SQLException | RuntimeException e) {
        LOG.log(Level.WARNING, "connection of an ended transaction could not be given back", e);
      }
    }
  }
}
