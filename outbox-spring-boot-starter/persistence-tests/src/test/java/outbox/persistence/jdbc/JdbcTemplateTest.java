package outbox.persistence.jdbc;

import outbox.persistence.PersistenceContract;

class JdbcTemplateTest extends PersistenceContract {

  @Override
  protected Class<?> application() {
    return JdbcTemplateApplication.class;
  }

  @Override
  protected String transactionManager() {
    return "JdbcTransactionManager";
  }
}
