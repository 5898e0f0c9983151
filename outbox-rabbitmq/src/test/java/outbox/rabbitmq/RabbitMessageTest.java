package outbox.rabbitmq;

import org.junit.jupiter.api.Tag;

@Tag("rabbitmq")
class RabbitMessageTest extends MessageScenarios {

  @Override
  protected AmqpBroker newBroker() throws Exception {
    return new RabbitBroker();
  }
}
