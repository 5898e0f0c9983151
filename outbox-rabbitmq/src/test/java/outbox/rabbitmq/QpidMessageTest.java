package outbox.rabbitmq;

class QpidMessageTest extends MessageScenarios {

  @Override
  protected AmqpBroker newBroker() {
    return new QpidBroker();
  }
}
