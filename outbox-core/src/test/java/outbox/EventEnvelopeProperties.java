package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import outbox.internal.ReservedHeaders;
import outbox.properties.Texts;

class EventEnvelopeProperties {

  /** A column's text: how it is set and read, how long it may be, and whether it may be empty. */
  enum Field {
    EVENT_TYPE(128, 1),
    EVENT_ID(36, 1),
    AGGREGATE_TYPE(64, 1),
    AGGREGATE_ID(128, 0),
    TENANT_ID(64, 0);

    private final int longest;
    private final int shortest;

    Field(int longest, int shortest) {
      this.longest = longest;
      this.shortest = shortest;
    }

    EventEnvelope.Builder builderWith(String text) {
      EventEnvelope.Builder builder = EventEnvelope.builder("T");
      return switch (this) {
        case EVENT_TYPE -> EventEnvelope.builder(text);
        case EVENT_ID -> builder.eventId(text);
        case AGGREGATE_TYPE -> builder.aggregateType(text);
        case AGGREGATE_ID -> builder.aggregateId(text);
        case TENANT_ID -> builder.tenantId(text);
      };
    }

    String of(EventEnvelope event) {
      return switch (this) {
        case EVENT_TYPE -> event.eventType();
        case EVENT_ID -> event.eventId();
        case AGGREGATE_TYPE -> event.aggregateType();
        case AGGREGATE_ID -> event.aggregateId();
        case TENANT_ID -> event.tenantId();
      };
    }

    boolean holds(String text) {
      return text.length() >= shortest
          && text.length() <= longest
          && text.indexOf('\0') < 0
          && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
  }

  @Property
  void textIsKeptAsItIsOrRefusedWithItsName(@ForAll Field field, @ForAll("any") String text) {
    try {
      EventEnvelope event = field.builderWith(text).payloadJson("{}").build();

      assertThat(field.of(event)).isEqualTo(text);
      assertThat(field.holds(text)).isTrue();
    } catch (IllegalArgumentException e) {
      assertThat(field.holds(text)).isFalse();
      assertThat(e.getMessage())
          .startsWithIgnoringCase(field.name().replace("_", "") + " must be ");
    }
  }

  @Property
  void headersAreKeptInTheirOrder(@ForAll("headers") Map<String, String> headers) {
    EventEnvelope event = EventEnvelope.builder("T").headers(headers).payloadJson("{}").build();

    assertThat(event.headers()).containsExactlyEntriesOf(headers);
    assertThat(event.toString()).doesNotContain("{}");
  }

  @Property
  void payloadArrivesAsItWasGiven(@ForAll("wellFormed") String text) {
    EventEnvelope event = EventEnvelope.ofJson("T", text);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

    assertThat(event.payloadJson()).isEqualTo(text);
    assertThat(event.payloadBytes()).isEqualTo(bytes);
    assertThat(event.payloadSize()).isEqualTo(bytes.length);
  }

  @Property
  void bytesArriveAsTheyWereGivenAndAreNobodyElses(@ForAll byte[] bytes) {
    byte[] given = bytes.clone();
    EventEnvelope event = EventEnvelope.builder("T").payloadBytes(given).build();
    Arrays.fill(given, (byte) 7);
    Arrays.fill(event.payloadBytes(), (byte) 8);

    assertThat(event.payloadBytes()).isEqualTo(bytes);
    assertThat(event.payloadSize()).isEqualTo(bytes.length);
    String text = event.payloadJson();
    if (text != null) {
      assertThat(text.getBytes(StandardCharsets.UTF_8)).isEqualTo(bytes);
    }
  }

  @Property(tries = 40)
  void payloadEndsAtItsLimit(@ForAll("character") String c, @ForAll("aroundTheLimit") int size) {
    int width = c.getBytes(StandardCharsets.UTF_8).length;
    String text = c.repeat(size / width) + "x".repeat(size % width);

    boolean fits;
    try {
      fits = EventEnvelope.ofJson("T", text).payloadSize() == size;
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("got: " + size);
      fits = false;
    }

    assertThat(fits).isEqualTo(size <= EventEnvelope.MAX_PAYLOAD_BYTES);
  }

  @Property
  void anyDelayGivesAMomentThatEveryDatabaseCanStoreOrIsRefused(
      @ForAll @LongRange(max = Long.MAX_VALUE) long seconds) {
    try {
      Instant moment =
          EventEnvelope.builder("T")
              .deliverAfter(Duration.ofSeconds(seconds))
              .payloadJson("{}")
              .build()
              .availableAt();
      assertThat(moment == null).isEqualTo(seconds == 0);
      assertThat(moment == null || moment.isBefore(Instant.parse("+10000-01-01T00:00:00Z")))
          .isTrue();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("deliverAfter must be ");
      assertThat(seconds).isGreaterThan(Duration.ofDays(365 * 7000).toSeconds());
    }
  }

  @Provide
  Arbitrary<String> any() {
    return Arbitraries.oneOf(
        Texts.any(),
        Texts.wellFormed(),
        Arbitraries.strings().withCharRange('a', 'z').ofMinLength(30).ofMaxLength(140));
  }

  @Provide
  Arbitrary<String> wellFormed() {
    return Texts.wellFormed();
  }

  @Provide
  Arbitrary<Map<String, String>> headers() {
    return Arbitraries.maps(
            Texts.wellFormed().filter(name -> !ReservedHeaders.contains(name)),
            Texts.wellFormed().injectNull(0.2))
        .ofMaxSize(5)
        .map(LinkedHashMap::new);
  }

  @Provide
  Arbitrary<String> character() {
    return Arbitraries.of("x", "ü", "你", "\uD83D\uDE80");
  }

  @Provide
  Arbitrary<Integer> aroundTheLimit() {
    return Arbitraries.integers().between(-6, 6).map(n -> EventEnvelope.MAX_PAYLOAD_BYTES + n);
  }
}
