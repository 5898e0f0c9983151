package outbox.destination.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.destination.Destination;
import outbox.destination.MessageHeaders;

/** What a destination promises while its broker is well. */
abstract class DestinationDeliveryContract extends DestinationSession {

  @Test
  void textArrivesOnceByteForByte() throws Exception {
    String text = "{\"name\":\"Grüße, 你好 🙂\",  \"n\": 1.0}";
    EventEnvelope event = event("order-1").payloadJson(text).build();

    Sending sending = send(open(), List.of(event));

    assertThat(sending.delivered()).containsExactly(event.eventId());
    assertThat(awaitArrivalOf(List.of(event)))
        .singleElement()
        .satisfies(
            received -> {
              assertThat(received.body()).isEqualTo(text.getBytes(UTF_8));
              assertThat(received.contentType()).startsWith("application/json");
            });
  }

  @Test
  void bytesArriveOnceAsTheyAre() throws Exception {
    byte[] bytes = new byte[512];
    IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) i);
    EventEnvelope event =
        event("order-1")
            .payloadJson(null)
            .payloadBytes(bytes)
            .contentType("application/avro")
            .schema("orders-value", "3")
            .build();

    Sending sending = send(open(), List.of(event));

    assertThat(sending.delivered()).containsExactly(event.eventId());
    assertThat(awaitArrivalOf(List.of(event)))
        .singleElement()
        .satisfies(
            received -> {
              assertThat(received.body()).isEqualTo(bytes);
              assertThat(received.contentType()).isEqualTo("application/avro");
              assertThat(received.header("schema-id")).isEqualTo("orders-value");
              assertThat(received.header("schema-version")).isEqualTo("3");
            });
  }

  @Test
  void aMessageSaysWhatItsEventIs() throws Exception {
    Instant happened = Instant.parse("2030-01-31T12:00:00.000001Z");
    EventEnvelope event =
        event("order-42").tenantId("acme").occurredAt(happened).correlationId("request-7").build();

    send(open(), List.of(event));

    assertThat(awaitArrivalOf(List.of(event)))
        .singleElement()
        .satisfies(
            received ->
                assertThat(received.headers())
                    .containsAllEntriesOf(
                        Map.of(
                            MessageHeaders.EVENT_ID,
                            event.eventId(),
                            MessageHeaders.EVENT_TYPE,
                            "OrderPlaced",
                            MessageHeaders.AGGREGATE_TYPE,
                            "Order",
                            MessageHeaders.AGGREGATE_ID,
                            "order-42",
                            MessageHeaders.TENANT_ID,
                            "acme",
                            MessageHeaders.OCCURRED_AT,
                            happened.toString(),
                            "correlation-id",
                            "request-7")));
  }

  @Test
  void theAggregatesIdIsTheKeyAndAnEventWithoutOneHasNone() throws Exception {
    EventEnvelope keyed = event("order-42").build();
    EventEnvelope unkeyed = event(null).build();

    send(open(), List.of(keyed, unkeyed));

    List<Received> arrived = awaitArrivalOf(List.of(keyed, unkeyed));
    assertThat(arrived)
        .filteredOn(received -> keyed.eventId().equals(received.eventId()))
        .extracting(Received::key)
        .containsExactly("order-42");
    assertThat(arrived)
        .filteredOn(received -> unkeyed.eventId().equals(received.eventId()))
        .extracting(Received::key)
        .containsOnlyNulls();
  }

  @Test
  void orderOfAKeyIsKeptWithinABatchAndFromBatchToBatch() throws Exception {
    Destination destination = open();
    List<EventEnvelope> sent = new ArrayList<>();

    for (int batch = 0; batch < 4; batch++) {
      List<EventEnvelope> events = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        events.add(event("order-a").build());
        events.add(event("order-b").build());
      }
      assertThat(send(destination, events).failures()).isEmpty();
      sent.addAll(events);
    }

    List<Received> arrived = awaitArrivalOf(sent);
    assertThat(arrived).hasSameSizeAs(sent);
    assertThat(idsOf("order-a", arrived)).isEqualTo(sentIds("order-a", sent));
    assertThat(idsOf("order-b", arrived)).isEqualTo(sentIds("order-b", sent));
  }

  @Test
  void aFullBatchArrives() throws Exception {
    Destination destination = open();
    List<EventEnvelope> events =
        IntStream.range(0, destination.maxBatch())
            .mapToObj(i -> event("order-" + i % 50).build())
            .toList();

    Sending sending = send(destination, events);

    assertThat(sending.failures()).isEmpty();
    assertThat(awaitArrivalOf(events)).hasSameSizeAs(events);
  }

  @Test
  void batchesMayBeUnderWayAtOnce() throws Exception {
    Destination destination = open();
    List<List<EventEnvelope>> batches =
        IntStream.range(0, 8).mapToObj(i -> events("order-" + i, 20)).toList();

    List<Sending> sendings =
        batches.parallelStream().map(batch -> Sending.of(destination, batch)).toList();

    for (Sending sending : sendings) {
      assertThat(ended(sending).failures()).isEmpty();
    }
    assertThat(awaitArrivalOf(batches.stream().flatMap(List::stream).toList())).hasSize(160);
  }

  @Test
  void anEventThatIsTooLargeFailsForGoodAndAlone() throws Exception {
    EventEnvelope before = event("order-1").build();
    EventEnvelope large = tooLarge("order-2");
    EventEnvelope after = event("order-3").build();
    Destination destination = open();

    Sending sending = send(destination, List.of(before, large, after));

    assertThat(sending.delivered()).containsExactlyInAnyOrder(before.eventId(), after.eventId());
    assertThat(sending.failures().get(large.eventId()))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining(large.eventId());
    assertThat(awaitArrivalOf(List.of(before, after))).hasSize(2);
    EventEnvelope next = event("order-2").build();
    assertThat(send(destination, List.of(next)).delivered()).containsExactly(next.eventId());
  }

  @Test
  void aDestinationHasANameAndTellsNoSecrets() throws Exception {
    Destination destination = open();

    assertThat(destination.name()).isNotBlank();
    fixture()
        .secrets()
        .forEach(secret -> assertThat(destination.toString()).doesNotContain(secret));
  }

  private static List<String> idsOf(String key, List<Received> arrived) {
    return arrived.stream()
        .filter(received -> key.equals(received.key()))
        .map(received -> String.valueOf(received.eventId()))
        .toList();
  }

  private static List<String> sentIds(String key, List<EventEnvelope> sent) {
    return sent.stream()
        .filter(event -> key.equals(event.aggregateId()))
        .map(EventEnvelope::eventId)
        .toList();
  }
}
