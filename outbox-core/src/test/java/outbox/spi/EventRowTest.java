package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.util.JsonCodec;

class EventRowTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.123456789Z");
  private static final Instant MICROS = Instant.parse("2030-01-02T03:04:05.123456Z");
  private static final JsonCodec CODEC = JsonCodec.getDefault();

  private static EventEnvelope.Builder event() {
    return EventEnvelope.builder("T").occurredAt(MICROS).payloadJson("{}");
  }

  private static EventRow encode(EventEnvelope event) {
    return EventRow.encode(event, CODEC, NOW);
  }

  private static EventEnvelope decode(EventEnvelope event, EventRow row) {
    return EventRow.decode(row(event, row.payload(), row.headers(), row.createdAt()), CODEC);
  }

  private static OutboxEvent row(
      EventEnvelope event, String payload, String headers, Instant createdAt) {
    return new OutboxEvent(
        event.eventId(),
        event.eventType(),
        event.aggregateType(),
        event.aggregateId(),
        event.tenantId(),
        payload,
        headers,
        0,
        createdAt);
  }

  @Test
  void commonEventIsStoredAsItIs() {
    EventRow row = encode(event().build());

    assertThat(row.payload()).isEqualTo("{}");
    assertThat(row.headers()).isNull();
    assertThat(row.createdAt()).isEqualTo(MICROS);
    assertThat(row.availableAt()).isEqualTo(MICROS);
  }

  @Test
  void heldBackEventIsDueAtItsTimeAndNotAMomentEarlier() {
    Instant inMicros = MICROS.plusSeconds(60);

    assertThat(encode(event().availableAt(inMicros).build()).availableAt()).isEqualTo(inMicros);
    assertThat(encode(event().availableAt(inMicros.plusNanos(1)).build()).availableAt())
        .isEqualTo(inMicros.plusNanos(1000));
  }

  @Test
  void timeThatHasPassedMeansNow() {
    for (Instant past : new Instant[] {MICROS, MICROS.minusNanos(1), Instant.EPOCH, Instant.MIN}) {
      EventRow row = encode(event().availableAt(past).build());

      assertThat(row.availableAt()).isEqualTo(row.createdAt());
    }
  }

  @Test
  void timeOfAvailabilityComesBackAndShowsInNoHeader() {
    EventEnvelope event = event().availableAt(NOW.plusSeconds(1)).header("k", "v").build();

    EventEnvelope decoded = decode(event, encode(event));

    assertThat(decoded.availableAt()).isEqualTo(NOW.plusSeconds(1));
    assertThat(decoded.headers()).isEqualTo(Map.of("k", "v"));
  }

  @Test
  void timeOfOccurrenceIsKeptApartWhereItIsNotNow() {
    for (Instant time :
        new Instant[] {
          NOW.plusNanos(1000), NOW.minusSeconds(1), NOW, Instant.EPOCH, NOW.plusSeconds(1)
        }) {
      EventEnvelope event = event().occurredAt(time).build();

      EventRow row = encode(event);

      assertThat(row.createdAt()).isBetween(MICROS.minusSeconds(1), MICROS);
      assertThat(row.createdAt()).isEqualTo(row.createdAt().truncatedTo(ChronoUnit.MICROS));
      assertThat(decode(event, row).occurredAt()).isEqualTo(time);
      assertThat(decode(event, row).headers()).isEmpty();
    }
  }

  @Test
  void bytesThatAreJsonAreStoredAsText() {
    EventEnvelope event =
        EventEnvelope.builder("T")
            .payloadBytes(" {\"a\": 1}".getBytes(StandardCharsets.UTF_8))
            .build();

    EventRow row = encode(event);

    assertThat(row.payload()).isEqualTo(" {\"a\": 1}");
    assertThat(decode(event, row).payloadBytes()).isEqualTo(event.payloadBytes());
    assertThat(event.isBinary()).as("on its way from memory").isFalse();
    assertThat(decode(event, row).isBinary()).as("on its way from the table").isFalse();
  }

  @Test
  void otherBytesAreStoredAsAJsonString() {
    EventEnvelope event = EventEnvelope.builder("T").payloadBytes(new byte[] {-1, 0, 1}).build();

    EventRow row = encode(event);

    assertThat(row.payload()).isEqualTo("\"/wAB\"");
    assertThat(row.headers()).contains("outbox-encoding");
    assertThat(decode(event, row).payloadBytes()).containsExactly(-1, 0, 1);
    assertThat(decode(event, row).isBinary()).isTrue();
  }

  @Test
  void usersHeadersAreNotMixedWithOurs() {
    EventEnvelope event =
        EventEnvelope.builder("T")
            .occurredAt(Instant.EPOCH)
            .headers(Map.of("k", "v"))
            .payloadBytes(new byte[] {-1})
            .build();

    assertThat(decode(event, encode(event)).headers()).isEqualTo(Map.of("k", "v"));
  }

  @Test
  void rowOfAnotherWriterIsReadToo() {
    OutboxEvent row =
        new OutboxEvent("id", "T", null, null, null, "{ }", "{\"k\":null}", 2, MICROS);

    EventEnvelope event = EventRow.decode(row, CODEC);

    assertThat(event.aggregateType()).isEqualTo("__GLOBAL__");
    assertThat(event.payloadJson()).isEqualTo("{ }");
    assertThat(event.headers()).containsKey("k");
    assertThat(event.occurredAt()).isEqualTo(MICROS);
  }

  @Test
  void rowThatCanBeNoEventIsRefused() {
    EventEnvelope event = event().build();

    for (String headers :
        new String[] {
          "{",
          "[]",
          "{\"outbox-occurred-at\":\"x\"}",
          "{\"outbox-available-at\":\"x\"}",
          "{\"outbox-encoding\":\"gzip\"}"
        }) {
      assertThatThrownBy(() -> EventRow.decode(row(event, "{}", headers, MICROS), CODEC))
          .isInstanceOf(IllegalArgumentException.class);
    }
    String base64 = "{\"outbox-encoding\":\"base64\"}";
    for (String payload : new String[] {"", "\"", "\"*\"", "\"abc\"x"}) {
      assertThatThrownBy(() -> EventRow.decode(row(event, payload, base64, MICROS), CODEC))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> EventRow.decode(row(event, null, null, MICROS), CODEC))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
