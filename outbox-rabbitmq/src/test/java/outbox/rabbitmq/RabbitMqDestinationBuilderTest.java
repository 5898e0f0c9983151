package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.ConnectionFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitMqDestinationBuilderTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "amqp://shop:s3cret@host with space:5672",
        "http://shop:s3cret@host",
        "shop:s3cret",
        "amqp://shop:s3cret/5@host",
        "amqp://shop:s3cret@host/a/b"
      })
  void uriThatCannotBeReadIsRefusedWithoutTellingIt(String uri) {
    assertThatThrownBy(() -> RabbitMqDestination.builder("orders").uri(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageStartingWith("uri must be like amqp://user:password@host:5672/virtual-host")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThatThrownBy(() -> RabbitMqDestination.builder("orders").exchange("e").build())
        .hasMessage("uri or connectionFactory must be set before build()");
    assertThatThrownBy(() -> RabbitMqDestination.builder("orders").uri("amqp://host").build())
        .hasMessage("exchange must be set before build()");
  }

  @Test
  void timeoutsMustBePositive() {
    assertThatThrownBy(() -> RabbitMqDestination.builder("o").confirmTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("confirmTimeout must be positive, got: PT0S");
  }

  @Test
  void destinationNamesItsBrokersAndNoPassword() {
    try (RabbitMqDestination destination =
        RabbitMqDestination.builder("orders")
            .uri("amqps://shop:s3cret@rabbit-1/sales")
            .addresses("rabbit-1:5671,rabbit-2:5671")
            .exchange("events")
            .build()) {
      assertThat(destination)
          .hasToString(
              "RabbitMQ destination orders (amqps://shop@rabbit-1:5671,rabbit-2:5671/sales)");
    }
  }

  @Test
  void factoryOfTheApplicationIsLeftAsItIs() {
    ConnectionFactory factory = new ConnectionFactory();

    RabbitMqDestination.builder("orders")
        .connectionFactory(factory)
        .exchange("events")
        .build()
        .close();

    assertThat(factory.isAutomaticRecoveryEnabled()).isTrue();
    assertThat(factory.getConnectionTimeout())
        .isEqualTo(ConnectionFactory.DEFAULT_CONNECTION_TIMEOUT);
  }
}
