package outbox.jdbc;

import outbox.testing.OrderedDeliveryContract;
import outbox.testing.StoreFixture;

class MySqlOnMariaDbOrderedDeliveryTest extends OrderedDeliveryContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mariaDbByMySqlDriver());
  }
}
