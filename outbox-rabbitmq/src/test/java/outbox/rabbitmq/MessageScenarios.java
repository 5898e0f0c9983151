package outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import java.net.URI;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.cloudevents.CloudEvents;
import outbox.destination.Message;
import outbox.destination.Protocol;

/** What a consumer finds. */
abstract class MessageScenarios extends BrokerScenarios {

  @Test
  void messageIsPersistentAndHasThePropertiesOfItsEvent() throws Exception {
    Channel channel = channel();
    String queue = queue(channel, "orders.eu", Map.of());
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .occurredAt(Instant.parse("2030-01-31T12:00:00Z"))
            .payloadJson("1")
            .correlationId("request-7")
            .routingKey("orders.eu")
            .build();

    Answers.of(open(fixture().builder("orders")), event);

    BasicProperties properties = nextOf(channel, queue).getProps();
    assertThat(properties.getMessageId()).isEqualTo(event.eventId());
    assertThat(properties.getType()).isEqualTo("OrderPlaced");
    assertThat(properties.getTimestamp()).isEqualTo(Date.from(event.occurredAt()));
    assertThat(properties.getCorrelationId()).isEqualTo("request-7");
    assertThat(properties.getDeliveryMode()).isEqualTo(2);
    assertThat(properties.getContentType()).isEqualTo("application/json");
  }

  @Test
  void whatIsTooLongForAPropertyStandsInTheHeaders() throws Exception {
    Channel channel = channel();
    String queue = queue(channel, "long", Map.of());
    String type = "€".repeat(128);
    EventEnvelope event = EventEnvelope.builder(type).payloadJson("1").routingKey("long").build();

    Answers answers = Answers.of(open(fixture().builder("orders")), event);

    assertThat(answers.delivered()).containsExactly(event.eventId());
    BasicProperties properties = nextOf(channel, queue).getProps();
    assertThat(properties.getType()).isNull();
    assertThat(properties.getHeaders().get("outbox-event-type")).hasToString(type);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cloudEventComesBackAsTheEventThatItWas(boolean isBinary) throws Exception {
    Channel channel = channel();
    String queue = queue(channel, "cloud-" + isBinary, Map.of());
    URI source = URI.create("https://shop.example/orders");
    EventEnvelope event =
        EventEnvelope.builder("order.placed.v1")
            .aggregateType("Order")
            .aggregateId("Grüße 🙂")
            .tenantId("acme")
            .payloadJson("{\"total\":99.10}")
            .header("channel", "web")
            .build();
    CloudEvents format = isBinary ? CloudEvents.binary(source) : CloudEvents.structured(source);

    Answers.of(
        open(fixture().builder("orders").format(format).routingKey(any -> "cloud-" + isBinary)),
        event);

    EventEnvelope read = CloudEvents.read(message(nextOf(channel, queue)), Protocol.AMQP);
    assertThat(read.eventId()).isEqualTo(event.eventId());
    assertThat(read.eventType()).isEqualTo("order.placed.v1");
    assertThat(read.aggregateType()).isEqualTo("Order");
    assertThat(read.aggregateId()).isEqualTo("Grüße 🙂");
    assertThat(read.tenantId()).isEqualTo("acme");
    assertThat(read.payloadJson()).isEqualTo("{\"total\":99.10}");
    assertThat(read.header("channel")).isEqualTo("web");
  }

  @Test
  void emptyBatchIsOverAtOnce() throws Exception {
    assertThat(Answers.of(open(fixture().builder("orders")), List.of()).failures()).isEmpty();
  }

  private static Message message(GetResponse response) {
    Map<String, String> headers =
        response.getProps().getHeaders().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, header -> header.getValue().toString()));
    return new Message(response.getBody(), response.getProps().getContentType(), headers);
  }
}
