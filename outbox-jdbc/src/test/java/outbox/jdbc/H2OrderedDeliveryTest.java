package outbox.jdbc;

import outbox.testing.OrderedDeliveryContract;
import outbox.testing.StoreFixture;

class H2OrderedDeliveryTest extends OrderedDeliveryContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.h2());
  }
}
