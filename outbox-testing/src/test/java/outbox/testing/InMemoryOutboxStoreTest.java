package outbox.testing;

class InMemoryOutboxStoreTest extends OutboxStoreContract {

  @Override
  protected StoreFixture fixture() {
    return StoreFixture.inMemory();
  }
}
