package outbox.destination;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;

class RawFormatTest {

  private static final Instant HAPPENED = Instant.parse("2030-01-31T12:00:00.000001Z");

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void everyProtocolGetsTheSameNames(Protocol protocol) {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .eventId("id-1")
            .occurredAt(HAPPENED)
            .aggregateType("Order")
            .aggregateId("order-42")
            .tenantId("acme")
            .correlationId("request-7")
            .payloadJson("{\"total\": 99.0}")
            .build();

    Message message = MessageFormat.raw().format(event, protocol);

    assertThat(new String(message.body(), UTF_8)).isEqualTo("{\"total\": 99.0}");
    assertThat(message.contentType()).isEqualTo("application/json");
    assertThat(message.headers())
        .containsOnly(
            entry("outbox-event-id", "id-1"),
            entry("outbox-event-type", "OrderPlaced"),
            entry("outbox-aggregate-type", "Order"),
            entry("outbox-aggregate-id", "order-42"),
            entry("outbox-tenant-id", "acme"),
            entry("outbox-occurred-at", HAPPENED.toString()),
            entry("correlation-id", "request-7"));
  }

  @Test
  void bytesAreCarriedUntouchedWithTheirContentTypeAndSchema() {
    byte[] avro = {0, -1, 2, 0, 127, -128};
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .payloadBytes(avro)
            .contentType("application/avro")
            .schema("orders-value", "3")
            .build();

    Message message = MessageFormat.raw().format(event, Protocol.KAFKA);

    assertThat(message.body()).isEqualTo(avro);
    assertThat(message.contentType()).isEqualTo("application/avro");
    assertThat(message.headers())
        .containsEntry("schema-id", "orders-value")
        .containsEntry("schema-version", "3")
        .doesNotContainKey("content-type");
  }

  @Test
  void bytesOfWhichNobodySaidWhatTheyAreAreOctets() {
    EventEnvelope event = EventEnvelope.builder("OrderPlaced").payloadBytes(new byte[] {1}).build();

    assertThat(MessageFormat.raw().format(event, Protocol.HTTP).contentType())
        .isEqualTo("application/octet-stream");
  }

  @Test
  void theEventsOwnHeadersCannotSpeakForTheOutboxAndEmptyOnesAreLeftOut() {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .eventId("id-1")
            .header("outbox-event-id", "forged")
            .header("outbox-tenant-id", "forged")
            .header("nothing", null)
            .payloadJson("{}")
            .build();

    assertThat(MessageFormat.raw().format(event, Protocol.AMQP).headers())
        .containsEntry("outbox-event-id", "id-1")
        .doesNotContainKeys("outbox-tenant-id", "nothing");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void norCanTheyInAnotherCase(Protocol protocol) {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .eventId("id-1")
            .header("Outbox-Event-Id", "forged")
            .header("OUTBOX-TENANT-ID", "forged")
            .payloadJson("{}")
            .build();

    assertThat(MessageFormat.raw().format(event, protocol).headers())
        .containsEntry("outbox-event-id", "id-1")
        .doesNotContainValue("forged");
  }

  @Test
  void aMessageNamesNeitherItsBodyNorTheValuesOfItsHeaders() {
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .header("authorization", "Bearer 12345")
            .payloadJson("{\"card\":\"4111\"}")
            .build();

    assertThat(MessageFormat.raw().format(event, Protocol.HTTP).toString())
        .contains("authorization")
        .doesNotContain("12345", "4111");
  }
}
