package outbox.rabbitmq;

import org.junit.jupiter.api.Tag;

@Tag("rabbitmq")
class RabbitRelayTest extends RelayScenarios {

  @Override
  protected AmqpBroker newBroker() throws Exception {
    return new RabbitBroker();
  }

  @Override
  protected boolean isDurable() {
    return true;
  }
}
