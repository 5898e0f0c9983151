package outbox.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultJsonCodecTest {

  private final JsonCodec codec = JsonCodec.getDefault();

  @Test
  void defaultIsASingleton() {
    assertThat(JsonCodec.getDefault())
        .isSameAs(JsonCodec.getDefault())
        .isInstanceOf(DefaultJsonCodec.class);
  }

  @Test
  void noHeadersAreNoJson() {
    assertThat(codec.toJson(null)).isNull();
    assertThat(codec.toJson(Map.of())).isNull();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "null", "  ", " null ", "{}", " { } "})
  void noJsonIsNoHeaders(String json) {
    assertThat(codec.parseObject(json)).isEmpty();
  }

  @Test
  void headersAreWrittenInOrderAndPlainly() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("z", "1");
    headers.put("a", null);

    assertThat(codec.toJson(headers)).isEqualTo("{\"z\":\"1\",\"a\":null}");
  }

  @Test
  void nullNameIsRefused() {
    Map<String, String> headers = new HashMap<>();
    headers.put(null, "v");

    assertThatThrownBy(() -> codec.toJson(headers)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nullValueIsReadAsANullEntry() {
    Map<String, String> headers = codec.parseObject("{\"a\":null}");

    assertThat(headers).isEqualTo(Collections.singletonMap("a", null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "\"quoted\" \\ / back",
        "\n\r\t\b\f",
        "\u0000\u0001\u001f\u007f\u0080",
        "Grüße 你好 \uD83D\uDE80",
        "\uD83D",
        "\uDE80 alone",
        "\u2028\u2029\ufeff\uffff"
      })
  void everyTextSurvivesAsNameAndAsValue(String text) {
    Map<String, String> headers = Map.of(text, text, "other", "x");

    assertThat(codec.parseObject(codec.toJson(headers))).isEqualTo(headers);
  }

  @Test
  void randomTextSurvives() {
    Random random = new Random(42);
    for (int i = 0; i < 500; i++) {
      Map<String, String> headers = new LinkedHashMap<>();
      for (int n = random.nextInt(5); n >= 0; n--) {
        headers.put(text(random), random.nextBoolean() ? text(random) : null);
      }

      String json = codec.toJson(headers);

      assertThat(codec.parseObject(json)).containsExactlyEntriesOf(headers);
    }
  }

  @Test
  void outputIsEncodableInUtf8() {
    String json = codec.toJson(Map.of("k", "\uD83D lonely \uDE80"));

    assertThat(json.chars().noneMatch(c -> Character.isSurrogate((char) c))).isTrue();
  }

  @Test
  void escapesAndSpaceOfOthersAreRead() {
    String json = " { \"a\\u0041\\/\" :\t\"\\u00e9\\uD83D\\uDE80\\b\\f\" ,\r\n \"b\" : null } ";

    assertThat(codec.parseObject(json)).containsEntry("aA/", "é\uD83D\uDE80\b\f").containsKey("b");
  }

  @Test
  void depthIsNoDanger() {
    String nested = "{\"a\":".repeat(500_000);

    assertThatThrownBy(() -> codec.parseObject(nested))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at position 5");
  }

  @Test
  void lastOfEqualNamesWins() {
    assertThat(codec.parseObject("{\"a\":\"1\",\"a\":\"2\"}")).isEqualTo(Map.of("a", "2"));
  }

  @Test
  void readHeadersAreTheCallersOwn() {
    Map<String, String> headers = codec.parseObject("{\"a\":\"1\"}");

    headers.put("b", "2");

    assertThat(headers).hasSize(2);
    codec.parseObject(null).put("c", "3");
    assertThat(codec.parseObject(null)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "}",
        "[]",
        "\"a\"",
        "1",
        "true",
        "nul",
        "nullx",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1}",
        "{\"a\":true}",
        "{\"a\":{}}",
        "{\"a\":[]}",
        "{\"a\":nul}",
        "{\"a\":nullx}",
        "{\"a\":\"b\",}",
        "{,}",
        "{\"a\":\"b\"",
        "{\"a\":\"b",
        "{\"a\":\"b\\",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\u\uff11\uff12\uff13\uff14\"}",
        "{\"a\":\"line\nbreak\"}",
        "{'a':'b'}",
        "{a:\"b\"}",
        "{\"a\":\"b\"} x",
        "{\"a\":\"b\"}{}",
        "{\"a\" \"b\"}",
        "{\"a\":\"b\" \"c\":\"d\"}"
      })
  void malformedTextIsRefusedWithoutRepeatingIt(String json) {
    assertThatThrownBy(() -> codec.parseObject(json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("position");
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(12); n > 0; n--) {
      text.append((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000));
    }
    return text.toString();
  }
}
