package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ascii",
        "\u007f\u0080\u07ff\u0800\uffff",
        "\uD83D\uDE80",
        "\uD83D",
        "\uDE80",
        "\uDE80\uD83D",
        "\uD83D\uD83D\uDE80",
        "a\uD83D"
      })
  void lengthIsThatOfTheEncodedText(String text) {
    assertThat(Utf8.length(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }

  @Test
  void lengthIsRightForRandomText() {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(20); n > 0; n--) {
        boolean surrogate = random.nextInt(3) == 0;
        text.append((char) (surrogate ? 0xD800 + random.nextInt(0x800) : random.nextInt(0x10000)));
      }

      assertThat(Utf8.length(text.toString()))
          .isEqualTo(text.toString().getBytes(StandardCharsets.UTF_8).length);
    }
  }
}
