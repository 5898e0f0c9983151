package outbox.jdbc;

import org.junit.jupiter.api.Tag;
import outbox.testing.OrderedDeliveryContract;
import outbox.testing.StoreFixture;

@Tag("mysql")
class MySqlOrderedDeliveryTest extends OrderedDeliveryContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mySql());
  }
}
