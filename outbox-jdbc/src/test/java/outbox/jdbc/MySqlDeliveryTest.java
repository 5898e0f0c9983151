package outbox.jdbc;

import org.junit.jupiter.api.Tag;
import outbox.testing.DeliveryContract;
import outbox.testing.StoreFixture;

@Tag("mysql")
class MySqlDeliveryTest extends DeliveryContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mySql());
  }
}
