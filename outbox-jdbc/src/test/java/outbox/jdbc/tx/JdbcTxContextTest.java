package outbox.jdbc.tx;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.spi.TxContext;
import outbox.testing.TxContextContract;
import outbox.testing.databases.Connections;
import outbox.testing.databases.Databases;

@ParameterizedClass
@EnumSource
class JdbcTxContextTest extends TxContextContract {

  @Parameter Connections connections;

  private final ThreadLocalTxContext txContext = new ThreadLocalTxContext();
  private JdbcTransactionManager.Transaction transaction;

  @Override
  protected TxContext txContext() {
    return txContext;
  }

  @Override
  protected void begin() throws Exception {
    transaction =
        new JdbcTransactionManager(
                new DataSourceConnectionProvider(Databases.h2().dataSource(connections)), txContext)
            .begin();
  }

  @Override
  protected void commit() throws Exception {
    transaction.commit();
  }

  @Override
  protected void rollback() throws Exception {
    transaction.rollback();
  }

  @AfterEach
  void close() throws Exception {
    if (transaction != null) {
      transaction.close();
    }
  }
}
