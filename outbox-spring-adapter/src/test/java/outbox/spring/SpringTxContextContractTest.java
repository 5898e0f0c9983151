package outbox.spring;

import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
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
      this(new TestDatabase());
    }

    private FromTheBeginningOfEveryTransaction(TestDatabase database) {
      this(database, new JdbcTransactionManager(database.dataSource()));
    }

    private FromTheBeginningOfEveryTransaction(
        TestDatabase database, JdbcTransactionManager manager) {
      super(database, manager, new SpringTxContext(database.dataSource(), manager));
    }
  }

  abstract static class Contract extends TxContextContract {

    private final TestDatabase database;
    private final PlatformTransactionManager manager;
    private final TxContext context;
    private TransactionStatus status;

    Contract(TestDatabase database, Function<DataSource, PlatformTransactionManager> manager) {
      this(
          database,
          manager.apply(database.dataSource()),
          new SpringTxContext(database.dataSource()));
    }

    Contract(TestDatabase database, PlatformTransactionManager manager, TxContext context) {
      this.database = database;
      this.manager = manager;
      this.context = context;
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
