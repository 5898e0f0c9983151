package outbox.rabbitmq;

import org.junit.jupiter.api.Tag;
import outbox.destination.testing.DestinationContract;
import outbox.destination.testing.DestinationFixture;

@Tag("rabbitmq")
class RabbitContractTest extends DestinationContract {

  @Override
  protected DestinationFixture start() throws Exception {
    return new AmqpFixture(new RabbitBroker());
  }
}
