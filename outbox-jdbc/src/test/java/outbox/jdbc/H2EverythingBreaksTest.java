package outbox.jdbc;

import outbox.testing.EverythingBreaksContract;
import outbox.testing.StoreFixture;

class H2EverythingBreaksTest extends EverythingBreaksContract {

  @Override
  protected StoreFixture fixture() {
    return Fixtures.pooled(Fixtures.h2());
  }
}
