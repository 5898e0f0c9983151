package outbox.cloudevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudevents.CloudEvent;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.destination.Message;
import outbox.destination.Protocol;

class StructuredModeTest {

  private final CloudEvents format = CloudEvents.structured(Events.SOURCE);

  @Test
  void readersOfBothKindsFindEveryAttribute() {
    Message message = format.format(Events.full(), Protocol.KAFKA);

    BinaryModeTest.requireFull(Readers.kafka(message));
    BinaryModeTest.requireFull(Readers.http(message));
    assertThat(message.contentType()).isEqualTo("application/cloudevents+json");
  }

  @Test
  void jsonStandsInTheDocumentAsItWasWritten() {
    String json = "{ \"precise\": 0.1000000000000000055511151231257827, \"big\": 1e400 }";

    String body = body(Events.order().payloadJson(json).build());

    assertThat(body).endsWith(",\"data\":" + json + "}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/vnd.acme.order-v1+json"
      })
  void everyKindOfJsonIsEmbedded(String contentType) {
    EventEnvelope event = Events.order().payloadJson("[1]").contentType(contentType).build();

    assertThat(body(event)).endsWith(",\"data\":[1]}");
  }

  @Test
  void bytesAreInBase64() {
    byte[] avro = {0, -1, 17};
    EventEnvelope event = Events.order().payloadBytes(avro).contentType("application/avro").build();

    CloudEvent read = Readers.kafka(format.format(event, Protocol.KAFKA));

    assertThat(body(event)).contains("\"data_base64\":\"AP8R\"");
    assertThat(read.getData().toBytes()).isEqualTo(avro);
    assertThat(read.getDataContentType()).isEqualTo("application/avro");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"cut", "1} , \"id\": \"other\"", "", "\ufeff{}"})
  void whatOnlyClaimsToBeJsonDoesNotBreakTheDocument(String payload) {
    EventEnvelope event =
        Events.order()
            .payloadBytes(payload.getBytes(UTF_8))
            .contentType("application/json")
            .build();

    CloudEvent read = Readers.http(format.format(event, Protocol.HTTP));

    assertThat(read.getId()).isEqualTo(event.eventId());
    assertThat(read.getData().toBytes()).isEqualTo(payload.getBytes(UTF_8));
  }

  @Test
  void otherHeadersStandBesideTheDocument() {
    assertThat(format.format(Events.full(), Protocol.AMQP).headers())
        .containsOnlyKeys("channel", "schema-version", "traceparent", "tracestate");
  }

  @Test
  void numbersAreReadAsTheyWereWritten() {
    String json = "{\"a\":0.10,\"b\":1E+400,\"c\":12345678901234567890.5}";
    Message message = format.format(Events.order().payloadJson(json).build(), Protocol.KAFKA);

    assertThat(CloudEvents.read(message, Protocol.KAFKA).payloadJson()).isEqualTo(json);
  }

  @Test
  void brokenDocumentIsRefusedWithoutQuotingIt() {
    Message message =
        new Message(
            "{\"specversion\":\"1.0\",\"secret\":".getBytes(UTF_8),
            "application/cloudevents+json; charset=UTF-8",
            Map.of());

    assertThatThrownBy(() -> CloudEvents.read(message, Protocol.HTTP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("body must be a CloudEvent in JSON, got: 30 bytes that are none")
        .hasMessageNotContaining("secret");
  }

  private String body(EventEnvelope event) {
    return new String(format.format(event, Protocol.HTTP).body(), UTF_8);
  }
}
