package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.cloudevents.CloudEvents;

/** Kafka's own console consumer reads what was sent. */
class KafkaCloudEventsTest {

  private static final URI SOURCE = URI.create("https://shop.example/orders");

  @Test
  void readsBinaryAndStructuredCloudEvents() throws Exception {
    String topic = TestKafka.topic("cloudevents");
    EventEnvelope binary = event(topic);
    EventEnvelope structured = event(topic);

    try (KafkaDestination kafka = kafka(CloudEvents.binary(SOURCE))) {
      assertThat(Outcomes.of(kafka, binary).took(binary)).isTrue();
    }
    try (KafkaDestination kafka = kafka(CloudEvents.structured(SOURCE))) {
      assertThat(Outcomes.of(kafka, structured).took(structured)).isTrue();
    }

    String printed = TestKafka.broker().consoleConsumer(topic, 2);
    assertThat(printed.lines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("ce_specversion:1.0", "ce_id:" + binary.eventId())
                    .contains("ce_type:OrderPlaced", "ce_source:" + SOURCE)
                    .contains("content-type:application/json")
                    .endsWith("\torder-1\t{\"total\":99}"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("content-type:application/cloudevents+json")
                    .contains("\torder-1\t{", "\"id\":\"%s\"".formatted(structured.eventId()))
                    .contains("\"specversion\":\"1.0\"", "\"data\":{\"total\":99}"));
  }

  private static KafkaDestination kafka(CloudEvents format) {
    return KafkaDestination.builder(TestKafka.broker().address()).format(format).build();
  }

  private static EventEnvelope event(String topic) {
    return EventEnvelope.builder("OrderPlaced")
        .aggregateType("Order")
        .aggregateId("order-1")
        .topic(topic)
        .payloadJson("{\"total\":99}")
        .build();
  }
}
