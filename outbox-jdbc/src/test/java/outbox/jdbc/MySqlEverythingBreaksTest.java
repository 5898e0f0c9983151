package outbox.jdbc;

import org.junit.jupiter.api.Tag;
import outbox.testing.EverythingBreaksContract;
import outbox.testing.StoreFixture;

@Tag("mysql")
class MySqlEverythingBreaksTest extends EverythingBreaksContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mySql());
  }
}
