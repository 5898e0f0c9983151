package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

  @ParameterizedTest
  @ValueSource(strings = {"", "ascii", "\u007f\u0080\u07ff\u0800\uffff", "\uD83D\uDE80"})
  void lengthIsThatOfTheEncodedText(String text) {
    assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    assertThat(Utf8.unpairedSurrogate(text)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "\uD83D, 0",
    "\uDE80, 0",
    "\uDE80\uD83D, 0",
    "\uD83D\uD83D\uDE80, 0",
    "a\uD83D, 1",
    "\uD83D\uDE80\uDE80, 2",
    "\uD83D\uDE80é\uD83Dx, 3"
  })
  void surrogateWithoutItsPartnerIsFound(String text, int index) {
    assertThat(Utf8.unpairedSurrogate(text)).isEqualTo(index);
  }

  @Test
  void randomTextIsJudgedAsTheEncoderDoes() {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      StringBuilder random20 = new StringBuilder();
      for (int n = random.nextInt(20); n > 0; n--) {
        boolean surrogate = random.nextInt(3) == 0;
        random20.append(
            (char) (surrogate ? 0xD800 + random.nextInt(0x800) : random.nextInt(0x10000)));
      }
      String text = random20.toString();
      boolean isWellFormed = StandardCharsets.UTF_8.newEncoder().canEncode(text);

      assertThat(Utf8.unpairedSurrogate(text) < 0).isEqualTo(isWellFormed);
      if (isWellFormed) {
        assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
      }
    }
  }
}
