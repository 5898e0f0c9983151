package outbox.cloudevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudevents.CloudEvent;
import java.net.URI;
import java.time.OffsetDateTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.destination.Message;
import outbox.destination.Protocol;

class BinaryModeTest {

  private final CloudEvents format = CloudEvents.binary(Events.SOURCE);

  @Test
  void kafkaReaderFindsEveryAttribute() {
    Message message = format.format(Events.full(), Protocol.KAFKA);

    requireFull(Readers.kafka(message));
    assertThat(message.body()).isEqualTo(Events.full().payloadBytes());
  }

  @Test
  void httpReaderFindsEveryAttribute() {
    requireFull(Readers.http(format.format(Events.full(), Protocol.HTTP)));
  }

  @Test
  void everyProtocolHasItsNames() {
    assertThat(format.format(Events.full(), Protocol.KAFKA).headers())
        .containsEntry("ce_specversion", "1.0")
        .containsEntry("ce_id", Events.full().eventId());
    assertThat(format.format(Events.full(), Protocol.HTTP).headers())
        .containsEntry("ce-specversion", "1.0")
        .containsEntry("ce-id", Events.full().eventId());
    assertThat(format.format(Events.full(), Protocol.AMQP).headers())
        .containsEntry("cloudEvents_specversion", "1.0")
        .containsEntry("cloudEvents_id", Events.full().eventId());
  }

  @Test
  void whatIsAnAttributeIsNoHeaderAnyMoreExceptForTracers() {
    Map<String, String> headers = format.format(Events.full(), Protocol.KAFKA).headers();

    assertThat(headers)
        .containsEntry("channel", "web")
        .containsEntry("schema-version", "2")
        .containsKeys("traceparent", "tracestate")
        .doesNotContainKeys("content-type", "schema-id", "correlation-id", "causation-id");
  }

  @Test
  void schemaThatIsNoUriStaysAHeader() {
    EventEnvelope event = Events.order().payloadJson("1").schema("orders-value", "7").build();

    Message message = format.format(event, Protocol.KAFKA);

    assertThat(message.headers())
        .containsEntry("schema-id", "orders-value")
        .doesNotContainKey("ce_dataschema");
  }

  @Test
  void valuesOfHttpHeadersArePercentEncodedAsTheBindingSays() {
    EventEnvelope event =
        Events.order().aggregateId("Euro € 😀 100% \"ok\"+/~").payloadJson("1").build();

    Message message = format.format(event, Protocol.HTTP);

    assertThat(message.headers())
        .containsEntry("ce-subject", "Euro%20%E2%82%AC%20%F0%9F%98%80%20100%25%20%22ok%22+/~");
  }

  @Test
  void headerThatLooksLikeAnAttributeIsLeftOut() {
    EventEnvelope event =
        Events.order().payloadJson("1").header("ce_id", "other").header("CE_Odd-Name", "x").build();

    CloudEvent read = Readers.kafka(format.format(event, Protocol.KAFKA));

    assertThat(read.getId()).isEqualTo(event.eventId());
    assertThat(read.getExtensionNames()).doesNotContain("odd-name");
  }

  @Test
  void eventWithNothingButTypeAndPayloadHasNoEmptyAttributes() {
    EventEnvelope event =
        EventEnvelope.builder("t")
            .aggregateId("")
            .tenantId("")
            .payloadBytes(new byte[] {1})
            .build();

    Message message = format.format(event, Protocol.KAFKA);

    assertThat(message.contentType()).isEqualTo("application/octet-stream");
    assertThat(message.headers())
        .containsOnlyKeys("ce_specversion", "ce_id", "ce_source", "ce_type", "ce_time");
  }

  @Test
  void partitionKeyIsTheRoutingKeyWhereThereIsOne() {
    EventEnvelope event = Events.order().payloadJson("1").routingKey("eu").build();

    assertThat(format.format(event, Protocol.KAFKA).headers())
        .containsEntry("ce_partitionkey", "eu")
        .doesNotContainKey("routing-key");
  }

  @Test
  void sourceMayDependOnTheEvent() {
    CloudEvents byTenant = CloudEvents.binary(event -> URI.create("/tenants/" + event.tenantId()));

    assertThat(byTenant.format(Events.full(), Protocol.KAFKA).headers())
        .containsEntry("ce_source", "/tenants/acme");
  }

  @Test
  void emptySourceIsRefused() {
    assertThatThrownBy(() -> CloudEvents.binary(URI.create("")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("source must be a URI that is not empty, got: \"\"");
    assertThatThrownBy(
            () -> CloudEvents.binary(event -> null).format(Events.full(), Protocol.KAFKA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("source must be a URI that is not empty, got: null");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoCloudEventIsRefused(Protocol protocol) {
    Message message = new Message(new byte[0], "text/plain", Map.of("x", "y"));

    assertThatThrownBy(() -> CloudEvents.read(message, protocol))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "message must be a CloudEvent, got: content type text/plain and no header c");
  }

  @Test
  void amqpAttributesOfOtherWritersMayHaveAColon() {
    Map<String, String> headers =
        Map.of(
            "cloudEvents:specversion", "1.0",
            "cloudEvents:id", "1",
            "cloudEvents:type", "t",
            "cloudEvents:source", "/s");

    EventEnvelope read =
        CloudEvents.read(new Message(new byte[] {'1'}, "application/json", headers), Protocol.AMQP);

    assertThat(read.eventId()).isEqualTo("1");
    assertThat(read.payloadJson()).isEqualTo("1");
    assertThat(read.header(CloudEvents.SOURCE_HEADER)).isEqualTo("/s");
  }

  @Test
  void sdkGetsTheSameEvent() {
    requireFull(format.cloudEvent(Events.full()));
  }

  static void requireFull(CloudEvent read) {
    assertThat(read.getSpecVersion().toString()).isEqualTo("1.0");
    assertThat(read.getId()).isEqualTo("01J0000000000000000000000A");
    assertThat(read.getType()).isEqualTo("order.placed.v1");
    assertThat(read.getSource()).isEqualTo(Events.SOURCE);
    assertThat(read.getSubject()).isEqualTo("order-42");
    assertThat(read.getTime()).isEqualTo(OffsetDateTime.parse("2030-01-31T12:00:00.000001Z"));
    assertThat(read.getDataContentType()).isEqualTo("application/json");
    assertThat(read.getDataSchema()).isEqualTo(URI.create("https://schemas.example/order"));
    assertThat(read.getExtension("aggregatetype")).isEqualTo("Order");
    assertThat(read.getExtension("tenantid")).isEqualTo("acme");
    assertThat(read.getExtension("partitionkey")).isEqualTo("order-42");
    assertThat(read.getExtension("correlationid")).isEqualTo("c-1");
    assertThat(read.getExtension("causationid")).isEqualTo("k-1");
    assertThat(read.getExtension("tracestate")).isEqualTo("vendor=1");
    assertThat(read.getExtension("traceparent")).isNotNull();
  }
}
