package outbox.rabbitmq;

import org.junit.jupiter.api.Tag;

@Tag("rabbitmq")
class RabbitOrderTest extends OrderScenarios {

  @Override
  protected AmqpBroker newBroker() throws Exception {
    return new RabbitBroker();
  }
}
