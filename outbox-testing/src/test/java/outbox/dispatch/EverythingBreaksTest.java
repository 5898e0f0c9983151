package outbox.dispatch;

import outbox.testing.EverythingBreaksContract;
import outbox.testing.StoreFixture;

class EverythingBreaksTest extends EverythingBreaksContract {

  @Override
  protected StoreFixture fixture() {
    return StoreFixture.inMemory();
  }
}
