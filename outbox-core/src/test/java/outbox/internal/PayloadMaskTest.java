package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;

class PayloadMaskTest {

  private static final String PAYLOAD =
      "{\"card\":\"4111-1111-1111-1111\",\"name\":\"Jane Doe\",\"total\":99}";

  @Test
  void wholePayloadIsCutOut() {
    assertThat(PayloadMask.hide("can't send " + PAYLOAD + " to the bank", PAYLOAD))
        .isEqualTo("can't send [payload] to the bank");
  }

  @Test
  void everyLongPartIsCutOut() {
    for (int from = 0; from + PayloadMask.SHARED <= PAYLOAD.length(); from++) {
      String part = PAYLOAD.substring(from, from + PayloadMask.SHARED);
      assertThat(PayloadMask.hide("<" + part + ">", PAYLOAD)).isEqualTo("<[payload]>");
    }
  }

  @Test
  void textInBytesThatAreNoTextIsCutOut() {
    byte[] bytes = ("\u00ff\u0000" + PAYLOAD + "\u0080").getBytes(StandardCharsets.ISO_8859_1);
    EventEnvelope event = EventEnvelope.builder("T").payloadBytes(bytes).build();

    for (var charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
      assertThat(PayloadMask.hide("read: " + new String(bytes, charset), event))
          .contains("[payload]")
          .hasSizeLessThan(25);
    }
    assertThat(PayloadMask.hide("field: " + PAYLOAD.substring(5, 25), event))
        .isEqualTo("field: [payload]");
  }

  @Test
  void payloadAndHeadersOfARowAreCutOutIfItHasThem() {
    String headers = "{\"authorization\":\"Bearer eyJhbGciOiJIUzI1NiJ9\"}";
    String text = "at " + headers + " of " + PAYLOAD;

    assertThat(PayloadMask.hide(text, row(PAYLOAD, headers)))
        .isEqualTo("at [payload] of [payload]");
    assertThat(PayloadMask.hide(text, row(PAYLOAD, null)))
        .isEqualTo("at " + headers + " of [payload]");
    assertThat(PayloadMask.hide(text, row(null, null))).isEqualTo(text);
  }

  private static OutboxEvent row(String payload, String headers) {
    return new OutboxEvent("id", "T", null, null, null, payload, headers, 0, Instant.EPOCH);
  }

  @Test
  void textThatMayQuoteTooManyEventsIsLeftOut() {
    List<EventEnvelope> few =
        Stream.generate(() -> EventEnvelope.ofJson("T", PAYLOAD)).limit(1000).toList();
    List<EventEnvelope> many =
        Stream.generate(() -> EventEnvelope.ofJson("T", PAYLOAD)).limit(1001).toList();

    assertThat(PayloadMask.of(few).apply("no " + PAYLOAD)).isEqualTo("no [payload]");
    assertThat(PayloadMask.of(many).apply("no " + PAYLOAD)).startsWith("[left out");
  }

  @Test
  void severalPartsAreCutOut() {
    String first = PAYLOAD.substring(0, 20);
    String second = PAYLOAD.substring(25, 45);

    assertThat(PayloadMask.hide(first + " and " + second + " and " + first, PAYLOAD))
        .isEqualTo("[payload] and [payload] and [payload]");
  }

  @Test
  void shortPartsMayStay() {
    String text = "total 99 of Jane Doe is refused";

    assertThat(PayloadMask.hide(text, PAYLOAD)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":1}", "\"secret\"", "12345678"})
  void shortPayloadIsCutOutAsAWhole(String payload) {
    assertThat(PayloadMask.hide("bad: " + payload + ".", payload)).isEqualTo("bad: [payload].");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "1", "[]"})
  void payloadThatSaysNothingIsNotLookedFor(String payload) {
    assertThat(PayloadMask.hide("{} and [] and 1", payload)).isEqualTo("{} and [] and 1");
  }

  @Test
  void bytesAreCutOutAsTextAndAsBase64() {
    byte[] bytes = PAYLOAD.getBytes(StandardCharsets.UTF_8);
    EventEnvelope event = EventEnvelope.builder("T").payloadBytes(bytes).build();
    String base64 = Base64.getEncoder().encodeToString(bytes);

    assertThat(PayloadMask.hide("a " + PAYLOAD + " b " + base64, event))
        .isEqualTo("a [payload] b [payload]");
  }

  @Test
  void payloadWithNulIsCutOutAsWell() {
    String payload = "\0\u0001card\0\u00024111-1111\0\u0003Jane Doe\0";
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    EventEnvelope event = EventEnvelope.builder("T").payloadBytes(bytes).build();

    assertThat(PayloadMask.hide("can't send <" + payload + ">", event))
        .isEqualTo("can't send <[payload]>");
  }

  @Test
  void characterThatIsHalfSharedIsCutOutAsAWhole() {
    String shared = "0123456789abcdef";
    String payload = "\uD83C\uDE00" + shared + "\uD83D\uDE01";

    assertThat(PayloadMask.hide("<\uD83D\uDE00" + shared + "\uD83D\uDE02>", payload))
        .isEqualTo("<[payload]>");
  }

  @Test
  void largePayloadAndHugeMessageAreNoBurden() {
    StringBuilder random = new StringBuilder("\"");
    new Random(42).ints(1_000_000, 'a', 'z').forEach(c -> random.append((char) c));
    String payload = random.append('"').toString();
    String message = "x " + payload.substring(500_000, 503_000) + " y " + "z".repeat(2_000_000);

    String hidden = PayloadMask.hide(message, payload);

    assertThat(hidden).startsWith("x [payload] y zzz").hasSizeLessThanOrEqualTo(8000);
  }

  @Test
  void repetitionIsNoBurdenEither() {
    String same = "a".repeat(1_000_000);

    assertThat(PayloadMask.hide(same, same)).isEqualTo("[payload]");
  }
}
