package outbox.spring;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ObjectUtils;
import outbox.OutboxException;
import outbox.internal.SafeLogger;
import outbox.spi.TxContext;

/**
 * The Spring transaction of the calling thread, accepted only if it is one of this DataSource: what
 * is written commits and rolls back with the business data, savepoints included.
 *
 * <p>Works with every transaction manager that shows its JDBC connection to Spring: {@code
 * JdbcTransactionManager}, {@code DataSourceTransactionManager}, {@code JpaTransactionManager}. It
 * may be given the same DataSource as the manager, or either of the two behind Spring's proxies.
 * JTA is not supported.
 *
 * <p>Callbacks belong to the innermost transaction and run once it has completely ended; what they
 * throw is logged, for the caller must not mistake a commit for a failure. From a callback, write
 * in a transaction of its own ({@code REQUIRES_NEW}).
 *
 * <p>Safe for all threads.
 *
 * <pre>{@code
 * @Bean
 * OutboxWriter outboxWriter(
 *     DataSource dataSource, ConfigurableTransactionManager transactions, OutboxStore store) {
 *   return new OutboxWriter(new SpringTxContext(dataSource, transactions), store);
 * }
 * }</pre>
 */
public final class SpringTxContext implements TxContext {

  private static final Logger LOG = SafeLogger.of(SpringTxContext.class);

  private final DataSource dataSource;
  private final BoundConnection boundConnection;

  /** Keeps those that have ended as long as Spring keeps their connection bound. */
  private final Map<ConnectionHolder, TxScope> scopes =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * Follows a transaction from the first write on. If that comes from inside an inner transaction
   * of another manager, it can't be told which of the two it belongs to: prefer {@link
   * #SpringTxContext(DataSource, ConfigurableTransactionManager)}.
   */
  public SpringTxContext(DataSource dataSource) {
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    boundConnection = new BoundConnection(dataSource);
  }

  /**
   * Follows every transaction of the manager from its beginning, so that a write from inside an
   * inner transaction of another manager is refused.
   *
   * @param manager the one whose transactions run on the DataSource, such as a {@code
   *     JdbcTransactionManager} or {@code JpaTransactionManager}; is given a listener
   */
  public SpringTxContext(DataSource dataSource, ConfigurableTransactionManager manager) {
    this(dataSource);
    Objects.requireNonNull(manager, "manager must not be null");
    manager.addListener(new FollowFromBeginning());
  }

  @Override
  public boolean isTransactionActive() {
    ConnectionHolder holder = findHolder();
    return holder != null && isOpen(holder);
  }

  /** Says which transaction is there instead, if one is. */
  @Override
  public void requireTransaction() {
    requireHolder();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if no transaction of this DataSource is active, or a read-only
   *     one
   */
  @Override
  public Connection currentConnection() {
    ConnectionHolder holder = requireHolder();
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalStateException(
          "the transaction on this thread is read-only; write events in one without readOnly ="
              + " true");
    }
    scopeOf(holder);
    return holder.getConnection();
  }

  @Override
  public void afterCommit(Runnable callback) {
    scopeOf(requireHolder()).afterCommit(callback);
  }

  @Override
  public void afterRollback(Runnable callback) {
    scopeOf(requireHolder()).afterRollback(callback);
  }

  private @Nullable ConnectionHolder findHolder() {
    return TransactionSynchronizationManager.isSynchronizationActive()
            && TransactionSynchronizationManager.isActualTransactionActive()
        ? boundConnection.find()
        : null;
  }

  private boolean isOpen(ConnectionHolder holder) {
    TxScope scope = scopes.get(holder);
    return scope == null || scope.isOpen();
  }

  private ConnectionHolder requireHolder() {
    ConnectionHolder holder = findHolder();
    if (holder == null) {
      throw new IllegalStateException(whyNoHolder());
    }
    if (!isOpen(holder)) {
      throw new IllegalStateException(
          "the transaction on this thread has already ended or is suspended by an inner one;"
              + " write before that, or in a new transaction (REQUIRES_NEW)");
    }
    return holder;
  }

  private String whyNoHolder() {
    if (!TransactionSynchronizationManager.isSynchronizationActive()
        && boundConnection.find() != null) {
      return "the transaction on this thread has already ended, or its manager has transaction"
          + " synchronization switched off; write before the end, or in a new transaction"
          + " (REQUIRES_NEW)";
    }
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      return "no transaction is active on this thread;"
          + " write inside a @Transactional method or a TransactionTemplate";
    }
    return "the transaction on this thread is not one of DataSource %s; use the transaction manager of that DataSource, as in @Transactional(transactionManager = \"...\")"
        .formatted(ObjectUtils.identityToString(dataSource));
  }

  private TxScope scopeOf(ConnectionHolder holder) {
    return scopes.computeIfAbsent(holder, unused -> TxScope.register());
  }

  private final class FollowFromBeginning implements TransactionExecutionListener {

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
      if (failure != null) {
        return;
      }
      try {
        ConnectionHolder holder = findHolder();
        if (holder != null) {
          scopeOf(holder);
        }
      } catch (OutboxException e) {
        // A connection that can't be asked: thrown here, it would stay bound to the thread.
        LOG.log(Level.WARNING, "a transaction could not be followed from its beginning", e);
      }
    }
  }
}
