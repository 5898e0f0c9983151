package outbox.jdbc;

import outbox.testing.OrderedLateInsertContract;
import outbox.testing.StoreFixture;

class MariaDbOrderedLateInsertTest extends OrderedLateInsertContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mariaDb());
  }
}
