package outbox.jdbc;

import outbox.testing.EverythingBreaksContract;
import outbox.testing.StoreFixture;

class MariaDbEverythingBreaksTest extends EverythingBreaksContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.mariaDb());
  }
}
