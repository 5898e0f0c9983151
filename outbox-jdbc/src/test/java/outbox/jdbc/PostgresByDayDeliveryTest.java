package outbox.jdbc;

import outbox.testing.DeliveryContract;
import outbox.testing.StoreFixture;

class PostgresByDayDeliveryTest extends DeliveryContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.postgresByDay());
  }
}
