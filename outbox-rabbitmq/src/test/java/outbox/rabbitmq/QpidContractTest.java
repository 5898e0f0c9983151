package outbox.rabbitmq;

import outbox.destination.testing.DestinationContract;
import outbox.destination.testing.DestinationFixture;

class QpidContractTest extends DestinationContract {

  @Override
  protected DestinationFixture start() throws Exception {
    return new AmqpFixture(new QpidBroker());
  }
}
