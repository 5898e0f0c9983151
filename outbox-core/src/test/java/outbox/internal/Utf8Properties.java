package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import outbox.properties.Texts;

class Utf8Properties {

  @Property(tries = 2000)
  void textIsJudgedAsTheEncoderDoes(@ForAll("any") String text) {
    int unpaired = Utf8.unpairedSurrogate(text);

    assertThat(unpaired < 0).isEqualTo(StandardCharsets.UTF_8.newEncoder().canEncode(text));
    if (unpaired >= 0) {
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text.substring(0, unpaired)))
          .isTrue();
    }
  }

  @Property
  void lengthIsThatOfTheEncodedText(@ForAll("wellFormed") String text) {
    assertThat(Utf8.unpairedSurrogate(text)).isNegative();
    assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }

  @Provide
  Arbitrary<String> any() {
    return Texts.any();
  }

  @Provide
  Arbitrary<String> wellFormed() {
    return Texts.wellFormed();
  }
}
