package outbox.spring;

import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import outbox.OutboxException;

/** Finds the connection on which Spring runs this thread's transaction on one DataSource. */
final class BoundConnection {

  private final DataSource dataSource;
  private final Map<DataSource, Probe> probes = new ConcurrentHashMap<>();

  BoundConnection(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Nullable ConnectionHolder find() {
    Object target = target(dataSource);
    for (Map.Entry<Object, Object> resource :
        TransactionSynchronizationManager.getResourceMap().entrySet()) {
      if (resource.getKey() instanceof DataSource bound
          && resource.getValue() instanceof ConnectionHolder holder
          && target(bound) == target
          && isTransactional(bound, holder)) {
        return holder;
      }
    }
    return null;
  }

  /** Spring's proxies, such as the lazy and the transaction-aware one, count as what they wrap. */
  private static Object target(DataSource dataSource) {
    Object target = TransactionSynchronizationUtils.unwrapResourceIfNecessary(dataSource);
    while (target instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
      target =
          TransactionSynchronizationUtils.unwrapResourceIfNecessary(proxy.getTargetDataSource());
    }
    return target;
  }

  /**
   * A bound connection need not be in the transaction: inside one of another DataSource, Spring
   * binds each connection that is used, to be released at the end, but neither commits nor rolls it
   * back. Such a connection is marked as synchronized, just like the one of a JDBC transaction.
   * Those of JPA and Hibernate are not.
   */
  private boolean isTransactional(DataSource bound, ConnectionHolder holder) {
    return holder.isSynchronizedWithTransaction()
        ? probes.computeIfAbsent(bound, Probe::new).findsTransaction()
        : !isAutoCommit(holder);
  }

  private static boolean isAutoCommit(ConnectionHolder holder) {
    try {
      return holder.getConnection().getAutoCommit();
    } catch (SQLException e) {
      throw new OutboxException("could not ask the connection whether it is in a transaction", e);
    }
  }

  /** Answers as the transaction manager of the DataSource would; begins and ends nothing. */
  private static final class Probe extends DataSourceTransactionManager {

    Probe(DataSource dataSource) {
      super(dataSource);
    }

    boolean findsTransaction() {
      return isExistingTransaction(doGetTransaction());
    }
  }
}
