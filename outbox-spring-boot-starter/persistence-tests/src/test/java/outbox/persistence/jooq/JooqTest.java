package outbox.persistence.jooq;

import outbox.persistence.PersistenceContract;

class JooqTest extends PersistenceContract {

  @Override
  protected Class<?> application() {
    return JooqApplication.class;
  }

  @Override
  protected String transactionManager() {
    return "JdbcTransactionManager";
  }
}
