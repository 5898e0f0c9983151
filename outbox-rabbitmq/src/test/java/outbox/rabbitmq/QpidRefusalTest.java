package outbox.rabbitmq;

class QpidRefusalTest extends RefusalScenarios {

  @Override
  protected AmqpBroker newBroker() {
    return new QpidBroker();
  }

  @Override
  protected String noRoute() {
    return "basic.nack";
  }
}
