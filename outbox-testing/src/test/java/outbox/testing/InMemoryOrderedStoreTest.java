package outbox.testing;

class InMemoryOrderedStoreTest extends OrderedStoreContract {

  @Override
  protected StoreFixture fixture() {
    return StoreFixture.inMemory();
  }
}
