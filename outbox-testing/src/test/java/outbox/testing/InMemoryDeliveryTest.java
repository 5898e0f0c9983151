package outbox.testing;

class InMemoryDeliveryTest extends DeliveryContract {

  @Override
  protected StoreFixture fixture() {
    return StoreFixture.inMemory();
  }
}
