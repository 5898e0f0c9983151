package outbox.rabbitmq;

class QpidRelayTest extends RelayScenarios {

  @Override
  protected AmqpBroker newBroker() throws Exception {
    return new QpidBroker();
  }

  @Override
  protected boolean isDurable() {
    return false;
  }
}
