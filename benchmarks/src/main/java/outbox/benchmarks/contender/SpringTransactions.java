package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Business transactions of the peers, as Spring runs them. */
final class SpringTransactions {

  /** What happens inside a transaction. */
  @FunctionalInterface
  interface Work {
    void run(Connection connection) throws SQLException;
  }

  private final DataSource dataSource;
  private final TransactionTemplate template;

  SpringTransactions(DataSource dataSource) {
    this(dataSource, new JdbcTransactionManager(dataSource));
  }

  SpringTransactions(DataSource dataSource, PlatformTransactionManager manager) {
    this.dataSource = dataSource;
    this.template = new TransactionTemplate(manager);
  }

  void run(Work work) {
    template.executeWithoutResult(
        status -> {
          Connection connection = DataSourceUtils.getConnection(dataSource);
          try {
            work.run(connection);
          } catch (SQLException e) {
            throw new IllegalStateException("the business transaction failed", e);
          } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
          }
        });
  }
}
