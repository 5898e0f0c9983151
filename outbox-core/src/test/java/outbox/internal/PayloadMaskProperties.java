package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import outbox.EventEnvelope;
import outbox.properties.Texts;

class PayloadMaskProperties {

  private static final Pattern MARKS = Pattern.compile(Pattern.quote(PayloadMask.MARK));

  /** A payload, and a text that quotes some parts of it. */
  record Quoted(String text, String payload) {}

  @Property
  void noLongPartOfThePayloadIsLeft(@ForAll("quoted") Quoted quoted) {
    int window = Math.min(PayloadMask.SHARED, quoted.payload().length());

    String hidden = PayloadMask.hide(quoted.text(), quoted.payload());

    for (String rest : MARKS.split(hidden, -1)) {
      for (int i = 0; i + window <= rest.length() && window >= 3; i++) {
        assertThat(ErrorText.withoutNul(quoted.payload()))
            .doesNotContain(rest.substring(i, i + window));
      }
    }
  }

  @Property
  void onlyWhatIsInThePayloadGoes(@ForAll("quoted") Quoted quoted) {
    String text = ErrorText.truncate(quoted.text(), 8000);
    String hidden = PayloadMask.hide(quoted.text(), quoted.payload());

    int at = 0;
    for (String rest : MARKS.split(hidden, -1)) {
      at = text.indexOf(rest, at);
      assertThat(at).as("what is left stands in the text, in its order").isNotNegative();
      at += rest.length();
    }
    if (!sharesAny(text, ErrorText.withoutNul(quoted.payload()))) {
      assertThat(hidden).isEqualTo(text);
    }
  }

  @Property
  void wellFormedTextStaysSo(@ForAll("quoted") Quoted quoted) {
    String hidden = PayloadMask.hide(quoted.text(), quoted.payload());

    if (StandardCharsets.UTF_8.newEncoder().canEncode(quoted.text())) {
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(hidden)).isTrue();
    }
  }

  @Property
  void bytesAreHiddenInEitherForm(@ForAll byte[] payload) {
    EventEnvelope event = EventEnvelope.builder("T").payloadBytes(payload).build();
    String base64 = Base64.getEncoder().encodeToString(payload);

    String hidden = PayloadMask.hide("sent <" + base64 + ">", event);

    assertThat(hidden)
        .isEqualTo(base64.length() < 3 ? "sent <" + base64 + ">" : "sent <[payload]>");
  }

  @Provide
  Arbitrary<Quoted> quoted() {
    Arbitrary<String> alphabet = Arbitraries.strings().withChars("ab").ofMaxLength(60);
    Arbitrary<String> payloads = Arbitraries.oneOf(Texts.any(), Texts.wellFormed(), alphabet);
    Arbitrary<Integer> places = Arbitraries.integers().between(0, 60);
    return Combinators.combine(payloads, places, places, Texts.any(), alphabet)
        .as(
            (payload, one, other, before, after) -> {
              int from = Math.min(Math.min(one, other), payload.length());
              int to = Math.min(Math.max(one, other), payload.length());
              String part = payload.substring(from, to);
              return new Quoted(before + part + after + part + before, payload);
            });
  }

  private static boolean sharesAny(String text, String payload) {
    int window = Math.min(PayloadMask.SHARED, payload.length());
    for (int i = 0; i + window <= text.length(); i++) {
      if (payload.contains(text.substring(i, i + window))) {
        return true;
      }
    }
    return false;
  }
}
