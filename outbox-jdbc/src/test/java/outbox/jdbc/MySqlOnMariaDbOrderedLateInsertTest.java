package outbox.jdbc;

import outbox.testing.OrderedLateInsertContract;
import outbox.testing.StoreFixture;

class MySqlOnMariaDbOrderedLateInsertTest extends OrderedLateInsertContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mariaDbByMySqlDriver());
  }
}
