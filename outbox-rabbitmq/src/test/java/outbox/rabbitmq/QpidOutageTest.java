package outbox.rabbitmq;

class QpidOutageTest extends OutageScenarios {

  @Override
  protected AmqpBroker newBroker() {
    return new QpidBroker();
  }
}
