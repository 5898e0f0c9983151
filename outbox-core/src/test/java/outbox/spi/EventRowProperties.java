package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import outbox.EventEnvelope;
import outbox.internal.JsonSyntax;
import outbox.internal.ReservedHeaders;
import outbox.model.OutboxEvent;
import outbox.properties.Texts;
import outbox.util.JsonCodec;

class EventRowProperties {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.678901Z");
  private static final JsonCodec CODEC = JsonCodec.getDefault();

  @Property
  void eventComesBackAsItWasWritten(@ForAll("events") EventEnvelope event) {
    EventRow row = EventRow.encode(event, CODEC, NOW);
    EventEnvelope decoded = EventRow.decode(stored(event, row), CODEC);

    assertThat(decoded.payloadBytes()).isEqualTo(event.payloadBytes());
    assertThat(decoded.payloadJson()).isEqualTo(event.payloadJson());
    assertThat(decoded.headers()).isEqualTo(event.headers());
    assertThat(decoded.occurredAt()).isEqualTo(event.occurredAt());
    assertThat(decoded.availableAt()).isEqualTo(event.availableAt());
    assertThat(decoded.toString()).isEqualTo(event.toString());
  }

  @Property
  void bytesAreAlwaysStoredAsJson(@ForAll("binary") EventEnvelope event) {
    assertThat(JsonSyntax.isJson(EventRow.encode(event, CODEC, NOW).payload())).isTrue();
  }

  @Property
  void nothingIsDueBeforeItsTimeOrMoreThanAMicrosecondLate(@ForAll("events") EventEnvelope event) {
    EventRow row = EventRow.encode(event, CODEC, NOW);

    assertThat(row.createdAt()).isBetween(NOW.minusSeconds(1), NOW);
    Instant earliest = event.availableAt() == null ? row.createdAt() : event.availableAt();
    assertThat(row.availableAt()).isAfterOrEqualTo(earliest).isAfterOrEqualTo(row.createdAt());
    if (!row.availableAt().equals(row.createdAt())) {
      assertThat(row.availableAt()).isBefore(earliest.plus(1, ChronoUnit.MICROS));
    }
    assertThat(row.availableAt()).isEqualTo(row.availableAt().truncatedTo(ChronoUnit.MICROS));
    assertThat(row.createdAt()).isEqualTo(row.createdAt().truncatedTo(ChronoUnit.MICROS));
  }

  /** After anything else a row would be tried again for ever. */
  @Property(tries = 1000)
  void rowIsReadOrRefusedForGood(
      @ForAll("any") String payload, @ForAll("headerTexts") String headers) {
    OutboxEvent row = new OutboxEvent("e", "T", "A", "a", null, payload, headers, 0, NOW);

    boolean isRead;
    try {
      isRead = EventRow.decode(row, CODEC) != null;
    } catch (IllegalArgumentException e) {
      isRead = false;
    }

    if (isRead && !headers.contains("base64")) {
      assertThat(EventRow.decode(row, CODEC).payloadJson()).isEqualTo(payload);
    }
  }

  private static OutboxEvent stored(EventEnvelope event, EventRow row) {
    return new OutboxEvent(
        event.eventId(),
        event.eventType(),
        event.aggregateType(),
        event.aggregateId(),
        event.tenantId(),
        row.payload(),
        row.headers(),
        0,
        row.createdAt());
  }

  @Provide
  Arbitrary<EventEnvelope> events() {
    return Arbitraries.oneOf(binary(), text());
  }

  @Provide
  Arbitrary<EventEnvelope> binary() {
    Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(30);
    Arbitrary<byte[]> texts = Arbitraries.oneOf(Texts.json(), Texts.any()).map(this::utf8);
    return Combinators.combine(Arbitraries.oneOf(bytes, texts), headers(), times(), times())
        .as(
            (payload, headers, occurredAt, availableAt) ->
                builder(headers, occurredAt, availableAt).payloadBytes(payload).build());
  }

  private Arbitrary<EventEnvelope> text() {
    return Combinators.combine(Texts.wellFormed(), headers(), times(), times())
        .as(
            (payload, headers, occurredAt, availableAt) ->
                builder(headers, occurredAt, availableAt).payloadJson(payload).build());
  }

  private byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static EventEnvelope.Builder builder(
      Map<String, String> headers, Instant occurredAt, Instant availableAt) {
    EventEnvelope.Builder builder =
        EventEnvelope.builder("T").headers(headers).occurredAt(occurredAt);
    return availableAt.getEpochSecond() % 3 == 0 || availableAt.isAfter(NOW.plusSeconds(1L << 32))
        ? builder
        : builder.availableAt(availableAt);
  }

  private static Arbitrary<Map<String, String>> headers() {
    return Arbitraries.maps(
            Texts.wellFormed().filter(name -> !ReservedHeaders.contains(name)),
            Texts.wellFormed().injectNull(0.2))
        .ofMaxSize(3);
  }

  /** Around now by nanoseconds and by seconds, and as far away as time goes. */
  private static Arbitrary<Instant> times() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(-3000, 3000).map(NOW::plusNanos),
        Arbitraries.longs().between(-3_000_000_000L, 3_000_000_000L).map(NOW::plusNanos),
        Arbitraries.of(Instant.MIN, Instant.MAX, Instant.EPOCH.minusNanos(1)));
  }

  @Provide
  Arbitrary<String> any() {
    return Arbitraries.oneOf(Texts.any(), Texts.json());
  }

  @Provide
  Arbitrary<String> headerTexts() {
    Arbitrary<String> reserved =
        Combinators.combine(
                Arbitraries.of(ReservedHeaders.ALL),
                Arbitraries.of("null", "\"base64\"", "\"\"", "\"x\"", "\"" + NOW + "\""))
            .as((name, value) -> "{\"%s\":%s}".formatted(name, value));
    return Arbitraries.oneOf(Texts.any(), reserved, Texts.damaged(reserved));
  }
}
