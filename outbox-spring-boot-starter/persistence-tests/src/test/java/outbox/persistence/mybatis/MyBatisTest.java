package outbox.persistence.mybatis;

import outbox.persistence.PersistenceContract;

class MyBatisTest extends PersistenceContract {

  @Override
  protected Class<?> application() {
    return MyBatisApplication.class;
  }

  @Override
  protected String transactionManager() {
    return "JdbcTransactionManager";
  }
}
