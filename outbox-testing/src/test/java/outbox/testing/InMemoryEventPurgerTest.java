package outbox.testing;

class InMemoryEventPurgerTest extends EventPurgerContract {

  @Override
  protected StoreFixture fixture() {
    return StoreFixture.inMemory();
  }
}
