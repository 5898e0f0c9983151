package outbox.jdbc;

import outbox.testing.OrderedDeliveryContract;
import outbox.testing.StoreFixture;

class MariaDbOrderedDeliveryTest extends OrderedDeliveryContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mariaDb());
  }
}
