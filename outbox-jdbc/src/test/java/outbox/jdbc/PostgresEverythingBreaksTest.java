package outbox.jdbc;

import outbox.testing.EverythingBreaksContract;
import outbox.testing.StoreFixture;

class PostgresEverythingBreaksTest extends EverythingBreaksContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.postgres());
  }
}
