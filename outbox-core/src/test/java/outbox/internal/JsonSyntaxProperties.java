package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import outbox.properties.Texts;

class JsonSyntaxProperties {

  @Property
  void jsonIsRecognised(@ForAll("json") String json) {
    assertThat(JsonSyntax.isJson(json)).isTrue();
    assertThat(JsonSyntax.isJson(" \t" + json + "\r\n")).isTrue();
  }

  /** One that follows the grammar of RFC 8259 rule by rule, and is slow. */
  @Property(tries = 2000)
  void judgesAsTheGrammarDoes(@ForAll("damaged") String text) {
    assertThat(JsonSyntax.isJson(text)).isEqualTo(JsonGrammar.isJson(text));
  }

  @Property
  void nothingElseThanTrueOrFalseComesOfAnyText(@ForAll("any") String text) {
    assertThat(JsonSyntax.isJson(text)).isEqualTo(JsonGrammar.isJson(text));
  }

  @Property
  void noPartOfAnObjectOrArrayIsJson(@ForAll("json") String json, @ForAll @IntRange int cut) {
    String container = "[" + json + "]";
    int length = Math.floorMod(cut, container.length());

    assertThat(JsonSyntax.isJson(container.substring(0, length))).isFalse();
  }

  @Property(tries = 50)
  void depthIsNoDanger(@ForAll @IntRange(min = 1, max = 100_000) int depth) {
    String nested = "[{\"a\":".repeat(depth) + "0" + "}]".repeat(depth);

    assertThat(JsonSyntax.isJson(nested)).isTrue();
    assertThat(JsonSyntax.isJson(nested.substring(1))).isFalse();
  }

  @Provide
  Arbitrary<String> json() {
    return Texts.json();
  }

  @Provide
  Arbitrary<String> damaged() {
    return Texts.damaged(Texts.json());
  }

  @Provide
  Arbitrary<String> any() {
    return Texts.any();
  }
}
