package outbox.kafka;

import outbox.destination.testing.DestinationContract;
import outbox.destination.testing.DestinationFixture;

class KafkaDestinationTest extends DestinationContract {

  @Override
  protected DestinationFixture start() {
    return new KafkaFixture();
  }
}
