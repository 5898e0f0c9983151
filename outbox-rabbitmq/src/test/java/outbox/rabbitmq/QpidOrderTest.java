package outbox.rabbitmq;

class QpidOrderTest extends OrderScenarios {

  @Override
  protected AmqpBroker newBroker() {
    return new QpidBroker();
  }
}
