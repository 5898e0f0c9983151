package outbox.rabbitmq;

import org.junit.jupiter.api.Tag;

@Tag("rabbitmq")
class RabbitOutageTest extends OutageScenarios {

  @Override
  protected AmqpBroker newBroker() throws Exception {
    return new RabbitBroker();
  }
}
