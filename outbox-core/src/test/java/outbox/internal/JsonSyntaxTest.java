package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSyntaxTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-12.5e+10",
        "1E-2",
        "0.1",
        "\"\"",
        "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
        "\"\uD83D\uDE80\uffff\"",
        " \t\r\n{ \"a\" : [ 1 , { \"b\" : [ [ ] , { } ] } ] , \"c\" : null } ",
        "[[],[[]],{}]",
        "{\"a\":{},\"a\":[]}"
      })
  void jsonIsRecognised(String text) {
    assertThat(JsonSyntax.isJson(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "]",
        "[}",
        "{]",
        "{}}",
        "[]]",
        "{} {}",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{1:1}",
        "{\"a\":1 \"b\":2}",
        "01",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "-",
        "--1",
        "0x1",
        "NaN",
        "Infinity",
        "tru",
        "True",
        "nulls",
        "nul",
        "\"",
        "\"a",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\\u\uff11234\"",
        "\"a\nb\"",
        "\"\u0000\"",
        "'a'",
        "// c\n1",
        "\ufeff{}",
        "\u00a01",
        "\uffff",
        "[\uffff",
        "1\uffff"
      })
  void anythingElseIsNot(String text) {
    assertThat(JsonSyntax.isJson(text)).isFalse();
  }

  @Test
  void depthIsNoDanger() {
    int depth = 200_000;
    String nested = "[".repeat(depth) + "{\"a\":" + "1}" + "]".repeat(depth);

    assertThat(JsonSyntax.isJson(nested)).isTrue();
    assertThat(JsonSyntax.isJson(nested + "]")).isFalse();
    assertThat(JsonSyntax.isJson("[".repeat(depth))).isFalse();
  }
}
