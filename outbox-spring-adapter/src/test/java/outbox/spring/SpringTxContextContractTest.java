package outbox.spring;

import java.util.function.BiFunction;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import outbox.spi.TxContext;
import outbox.testing.TxContextContract;

/** The same promises, whichever way Spring manages the transaction. */
class SpringTxContextContractTest {

  @Nested
  class WithJdbcTransactionManager extends Contract {
    WithJdbcTransactionManager() {
      super(new TestDatabase(), JdbcTransactionManager::new);
    }
  }

  @Nested
  class WithAutoCommitOffByDefault extends Contract {
    WithAutoCommitOffByDefault() {
      super(new TestDatabase(false), JdbcTransactionManager::new);
    }
  }

  @Nested
  class WithLazyConnections extends Contract {
    WithLazyConnections() {
      super(
          new TestDatabase(),
          dataSource ->
              new DataSourceTransactionManager(new LazyConnectionDataSourceProxy(dataSource)));
    }
  }

  @Nested
  class FromTheBeginningOfEveryTransaction extends Contract {
    FromTheBeginningOfEveryTransaction() {
      super(new TestDatabase(), JdbcTransactionManager::new, SpringTxContext::new);
    }
  }

  abstract static class Contract extends TxContextContract {

    private final TestDatabase database;
    private final PlatformTransactionManager manager;
    private final TxContext context;
    private TransactionStatus status;

    <M extends ConfigurableTransactionManager & PlatformTransactionManager> Contract(
        TestDatabase database, Function<DataSource, M> manager) {
      this(database, manager, (dataSource, unused) -> new SpringTxContext(dataSource));
    }

    <M extends ConfigurableTransactionManager & PlatformTransactionManager> Contract(
        TestDatabase database,
        Function<DataSource, M> manager,
        BiFunction<DataSource, M, TxContext> context) {
      this.database = database;
      M made = manager.apply(database.dataSource());
      this.manager = made;
      this.context = context.apply(database.dataSource(), made);
    }

    @AfterEach
    void close() {
      database.close();
    }

    @Override
    protected TxContext txContext() {
      return context;
    }

    @Override
    protected void begin() {
      status = manager.getTransaction(null);
    }

    @Override
    protected void commit() {
      manager.commit(status);
    }

    @Override
    protected void rollback() {
      manager.rollback(status);
    }

    @Override
    protected Object setSavepoint() {
      return status.createSavepoint();
    }

    @Override
    protected void rollbackTo(Object savepoint) {
      status.rollbackToSavepoint(savepoint);
    }

    @Override
    protected void release(Object savepoint) {
      status.releaseSavepoint(savepoint);
    }
  }
}
