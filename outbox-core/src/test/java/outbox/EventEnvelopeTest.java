package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventEnvelopeTest {

  @Test
  void headersAreBoundedInAll() {
    int half = EventEnvelope.MAX_HEADER_BYTES / 2;
    EventEnvelope.Builder fits =
        EventEnvelope.builder("T").payloadJson("1").header("\u00e9", "\u00e9".repeat(half - 1));

    assertThat(fits.build().headers()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fits.header("x", null).build())
        .withMessageContaining("headers must be at most 262144 bytes in all, got: 262145 in 2");
    EventEnvelope.Builder many = EventEnvelope.builder("T").payloadJson("1");
    IntStream.range(0, 100_000).forEach(i -> many.header("header-" + i, null));
    assertThatIllegalArgumentException()
        .isThrownBy(many::build)
        .withMessageContaining("in 100000 headers");
  }

  /** Else an event that could be written could not be delivered. */
  @Test
  void headersOfTheDeliveryDoNotCount() {
    String most = "x".repeat(EventEnvelope.MAX_HEADER_BYTES - 1);

    EventEnvelope event =
        EventEnvelope.builder("T")
            .payloadJson("1")
            .header("x", most)
            .header(EventHeaders.SEQUENCE, "1")
            .header(EventHeaders.EPOCH, "2")
            .build();

    assertThat(event.headers()).hasSize(3);
  }

  private enum Types implements EventType {
    ORDER_PLACED
  }

  private enum Aggregates implements AggregateType {
    ORDER
  }

  private static EventEnvelope.Builder builder() {
    return EventEnvelope.builder("T").payloadJson("{}");
  }

  @Test
  void onlyTypeAndPayloadAreRequired() {
    EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{\"id\":1}");

    assertThat(event.eventId()).hasSize(26);
    assertThat(event.eventType()).isEqualTo("OrderPlaced");
    assertThat(event.occurredAt())
        .isCloseTo(Clock.systemUTC().instant(), within(1, ChronoUnit.MINUTES));
    assertThat(event.aggregateType()).isEqualTo("__GLOBAL__");
    assertThat(event.aggregateId()).isNull();
    assertThat(event.tenantId()).isNull();
    assertThat(event.headers()).isEmpty();
    assertThat(event.payloadJson()).isEqualTo("{\"id\":1}");
    assertThat(event.payloadBytes()).isEqualTo("{\"id\":1}".getBytes(StandardCharsets.UTF_8));
    assertThat(event.isBinary()).isFalse();
  }

  @Test
  void everyFieldCanBeGiven() {
    Instant occurredAt = Instant.parse("2001-02-03T04:05:06.789012345Z");

    EventEnvelope event =
        EventEnvelope.builder(Types.ORDER_PLACED)
            .eventId("id-1")
            .occurredAt(occurredAt)
            .aggregateType(Aggregates.ORDER)
            .aggregateId("order-1")
            .tenantId("tenant-1")
            .headers(Map.of("k", "v"))
            .payloadJson("[]")
            .build();

    assertThat(event.eventId()).isEqualTo("id-1");
    assertThat(event.eventType()).isEqualTo("ORDER_PLACED");
    assertThat(event.occurredAt()).isEqualTo(occurredAt);
    assertThat(event.aggregateType()).isEqualTo("ORDER");
    assertThat(event.aggregateId()).isEqualTo("order-1");
    assertThat(event.tenantId()).isEqualTo("tenant-1");
    assertThat(event.headers()).isEqualTo(Map.of("k", "v"));
  }

  @Test
  void shortFormsAgree() {
    assertThat(EventEnvelope.ofJson(Types.ORDER_PLACED, "1").eventType()).isEqualTo("ORDER_PLACED");
    assertThat(EventEnvelope.ofJson(StringEventType.of("T"), "1").eventType()).isEqualTo("T");
    assertThat(EventEnvelope.builder("T").aggregateType("A").payloadJson("1").build())
        .extracting(EventEnvelope::aggregateType)
        .isEqualTo("A");
  }

  @Test
  void nullResetsAnOptionalField() {
    EventEnvelope event =
        builder()
            .eventId("x")
            .eventId(null)
            .occurredAt(null)
            .aggregateType("A")
            .aggregateType((String) null)
            .aggregateType((AggregateType) null)
            .aggregateId(null)
            .tenantId(null)
            .headers(Map.of("k", "v"))
            .headers(null)
            .build();

    assertThat(event.eventId()).hasSize(26);
    assertThat(event.aggregateType()).isEqualTo("__GLOBAL__");
    assertThat(event.headers()).isEmpty();
  }

  @Test
  void missingEventTypeIsRefused() {
    assertThatThrownBy(() -> EventEnvelope.builder((String) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("eventType");
    assertThatThrownBy(() -> EventEnvelope.builder((EventType) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> EventEnvelope.ofJson((EventType) null, "{}"))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> EventEnvelope.builder(() -> null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> EventEnvelope.builder(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("eventType must be not empty, got: \"\"");
  }

  @Test
  void valuesThatNoColumnCouldHoldAreRefusedWithTheLimit() {
    assertTooLong(() -> EventEnvelope.builder("t".repeat(129)), "eventType", 128);
    assertTooLong(() -> builder().eventId("i".repeat(37)), "eventId", 36);
    assertTooLong(() -> builder().aggregateType("a".repeat(65)), "aggregateType", 64);
    assertTooLong(() -> builder().aggregateId("a".repeat(129)), "aggregateId", 128);
    assertTooLong(() -> builder().tenantId("t".repeat(65)), "tenantId", 64);
  }

  @Test
  void longestValuesAreAccepted() {
    EventEnvelope event =
        EventEnvelope.builder("t".repeat(128))
            .eventId("i".repeat(36))
            .aggregateType("a".repeat(64))
            .aggregateId("a".repeat(128))
            .tenantId("t".repeat(64))
            .payloadJson("{}")
            .build();

    assertThat(event.eventId()).hasSize(36);
  }

  @Test
  void emptyIdsAndTypesAreRefused() {
    assertThatThrownBy(() -> builder().eventId("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder().aggregateType(""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void exactlyOnePayloadIsAsked() {
    assertThatThrownBy(() -> EventEnvelope.builder("T").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("neither");
    assertThatThrownBy(() -> builder().payloadBytes(new byte[0]).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("both");
    assertThatThrownBy(() -> EventEnvelope.ofJson("T", null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void payloadMayBeOneMegabyteAndNoMore() {
    assertThat(EventEnvelope.MAX_PAYLOAD_BYTES).isEqualTo(1_048_576);
    String largest = "x".repeat(EventEnvelope.MAX_PAYLOAD_BYTES);

    assertThat(EventEnvelope.ofJson("T", largest).payloadBytes())
        .hasSize(EventEnvelope.MAX_PAYLOAD_BYTES);
    assertTooLarge(EventEnvelope.builder("T").payloadJson(largest + "x"));
    assertTooLarge(
        EventEnvelope.builder("T").payloadBytes(new byte[EventEnvelope.MAX_PAYLOAD_BYTES + 1]));
  }

  @Test
  void payloadIsMeasuredInBytesNotCharacters() {
    int half = EventEnvelope.MAX_PAYLOAD_BYTES / 2;

    assertThat(EventEnvelope.ofJson("T", "é".repeat(half)).payloadJson()).hasSize(half);
    assertTooLarge(EventEnvelope.builder("T").payloadJson("é".repeat(half) + "x"));
    assertTooLarge(EventEnvelope.builder("T").payloadJson("\uD83D\uDE80".repeat(half / 2) + "x"));
  }

  @Test
  void payloadDoesNotAppearInMessagesOrText() {
    EventEnvelope event =
        EventEnvelope.builder("T").payloadJson("{\"card\":\"4111-1111\"}").build();

    assertThat(event.toString()).contains(event.eventId(), "T").doesNotContain("4111-1");
  }

  @Test
  void bytesAreCopiedBothWays() {
    byte[] mine = {1, 2, 3};
    EventEnvelope event = EventEnvelope.builder("T").payloadBytes(mine).build();

    mine[0] = 9;
    event.payloadBytes()[1] = 9;

    assertThat(event.payloadBytes()).containsExactly(1, 2, 3);
    assertThat(event.isBinary()).isTrue();
  }

  @Test
  void bytesAreShownAsTextWhereTheyAreText() {
    byte[] text = "{\"a\":\"é\"}".getBytes(StandardCharsets.UTF_8);

    assertThat(EventEnvelope.builder("T").payloadBytes(text).build().payloadJson())
        .isEqualTo("{\"a\":\"é\"}");
    assertThat(EventEnvelope.builder("T").payloadBytes(new byte[] {-1}).build().payloadJson())
        .isNull();
  }

  @Test
  void headersAreCopiedAndKeepTheirOrder() {
    Map<String, String> mine = new LinkedHashMap<>();
    mine.put("z", "1");
    mine.put("a", null);
    EventEnvelope event = builder().headers(mine).build();

    mine.put("later", "2");

    assertThat(event.headers()).containsExactly(Map.entry("z", "1"), entryOfNull("a"));
    assertThatThrownBy(() -> event.headers().put("x", "y"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void nullHeaderNameIsRefused() {
    Map<String, String> headers = new HashMap<>();
    headers.put(null, "v");

    assertThatThrownBy(() -> builder().headers(headers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("header");
  }

  @Test
  void reservedHeaderNamesAreRefused() {
    assertThatThrownBy(() -> builder().headers(Map.of("outbox-encoding", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outbox-encoding");
    assertThatThrownBy(() -> builder().header("outbox-available-at", "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder().headers(Map.of("outbox-occurred-at", "x")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void textThatNoDatabaseCouldStoreIsRefused() {
    String broken = "ab\uD83Dc";

    assertBroken(() -> EventEnvelope.builder(broken), "eventType");
    assertBroken(() -> builder().eventId(broken), "eventId");
    assertBroken(() -> builder().aggregateType(broken), "aggregateType");
    assertBroken(() -> builder().aggregateId(broken), "aggregateId");
    assertBroken(() -> builder().tenantId(broken), "tenantId");
    assertBroken(() -> builder().header(broken, "v"), "header name");
    assertBroken(() -> builder().headers(Map.of("k", broken)), "value of header k");
    assertBroken(() -> builder().topic(broken), "value of header topic");
    assertBroken(
        () -> EventEnvelope.ofJson("OrderPlaced", broken), "payloadJson of event type OrderPlaced");
  }

  @Test
  void wholeCharactersAndEscapedSurrogatesAreAccepted() {
    EventEnvelope event =
        EventEnvelope.builder("\uD83D\uDE80")
            .header("\uD83D\uDE80", "\uD83D\uDE80")
            .payloadJson("\"\uD83D\uDE80 \\ud83d\"")
            .build();

    assertThat(event.payloadJson()).isEqualTo("\"\uD83D\uDE80 \\ud83d\"");
  }

  @Test
  void builderCanBeUsedAgainWithoutTouchingWhatItBuilt() {
    EventEnvelope.Builder builder = builder().headers(Map.of("n", "1"));

    EventEnvelope first = builder.build();
    EventEnvelope second = builder.headers(Map.of("n", "2")).build();

    assertThat(first.headers()).containsEntry("n", "1");
    assertThat(second.eventId()).isGreaterThan(first.eventId());
  }

  private static Map.Entry<String, String> entryOfNull(String name) {
    return Collections.<String, String>singletonMap(name, null).entrySet().iterator().next();
  }

  private static void assertTooLong(Runnable call, String name, int limit) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + " must be at most " + limit + " characters, got: ");
  }

  private static void assertBroken(Runnable call, String name) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(name + " must be free of unpaired surrogates, got: one at index 2");
  }

  private static void assertTooLarge(EventEnvelope.Builder builder) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1048576")
        .hasMessageNotContaining("xxx");
  }

  @Test
  void payloadSizeIsInBytes() {
    assertThat(EventEnvelope.ofJson("T", "\"\u00e9\u20ac\"").payloadSize()).isEqualTo(7);
    assertThat(EventEnvelope.builder("T").payloadBytes(new byte[9]).build().payloadSize())
        .isEqualTo(9);
  }
}
