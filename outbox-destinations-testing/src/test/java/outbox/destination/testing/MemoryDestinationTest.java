package outbox.destination.testing;

class MemoryDestinationTest extends DestinationContract {

  @Override
  protected DestinationFixture start() {
    return new MemoryBroker();
  }
}
