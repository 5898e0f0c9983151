package outbox.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.CharRange;
import outbox.internal.JsonString;
import outbox.internal.JsonSyntax;
import outbox.properties.Texts;

class DefaultJsonCodecProperties {

  private final JsonCodec codec = JsonCodec.getDefault();

  @Property
  void whatIsWrittenIsReadAgainInItsOrder(@ForAll("headers") Map<String, String> headers) {
    String json = codec.toJson(headers);

    assertThat(codec.parseObject(json)).containsExactlyEntriesOf(headers);
  }

  @Property
  void whatIsWrittenIsJsonThatUtf8CanHold(@ForAll("headers") Map<String, String> headers) {
    String json = codec.toJson(headers);

    assertThat(json).matches(text -> text == null || JsonSyntax.isJson(text), "is JSON");
    assertThat(json == null ? "" : json).matches(t -> t.chars().noneMatch(this::isSurrogate));
  }

  @Property
  void writingWhatWasReadChangesNothingMore(@ForAll("headerTexts") String json) {
    Map<String, String> headers = read(json);

    if (headers != null) {
      assertThat(codec.parseObject(codec.toJson(headers))).isEqualTo(headers);
    }
  }

  /** Another reader of ours that shares no code with this one. */
  @Property(tries = 1000)
  void onlyJsonIsRead(@ForAll("headerTexts") String json) {
    if (read(json) != null && !json.isEmpty()) {
      assertThat(json).matches(text -> text.isBlank() || JsonSyntax.isJson(text), "is JSON");
    }
  }

  @Property
  void everyFlatObjectOfStringsIsRead(@ForAll("flat") String json) {
    assertThat(codec.parseObject(json)).isNotNull();
  }

  @Property
  void objectThatIsNotFlatIsRefused(@ForAll("nested") String json) {
    assertThat(read(json)).isNull();
  }

  @Property
  void everyCharacterStandsForItselfOrMustBeEscaped(@ForAll char c) {
    assertThat(read("{\"a\":\"" + c + "\"}") == null).isEqualTo(c < ' ' || c == '"' || c == '\\');
  }

  @Property
  void noControlCharacterIsReadAsItIs(@ForAll @CharRange(from = '\0', to = '\u001f') char c) {
    assertThat(read("{\"a\":\"" + c + "\"}")).isNull();
    assertThat(read("{\"" + c + "\":null}")).isNull();
  }

  /** Null if it is refused; nothing else may be thrown, and what is thrown doesn't quote. */
  private Map<String, String> read(String json) {
    try {
      return codec.parseObject(json);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith("headers must be a flat JSON object of strings, got:");
      assertThat(e.getMessage()).hasSizeLessThan(160);
      return null;
    }
  }

  private boolean isSurrogate(int c) {
    return Character.isSurrogate((char) c);
  }

  @Provide
  Arbitrary<Map<String, String>> headers() {
    return Arbitraries.maps(Texts.any(), Texts.any().injectNull(0.2))
        .ofMaxSize(6)
        .map(LinkedHashMap::new);
  }

  @Provide
  Arbitrary<String> flat() {
    Arbitrary<String> names = Texts.any().map(DefaultJsonCodecProperties::quoted);
    return Arbitraries.maps(names, names.injectNull(0.2))
        .ofMaxSize(4)
        .map(
            all ->
                all.entrySet().stream()
                    .map(entry -> entry.getKey() + "\t:\n" + entry.getValue())
                    .toList())
        .map(members -> " {" + String.join(" ,\r", members) + "} ");
  }

  @Provide
  Arbitrary<String> nested() {
    return Texts.json()
        .filter(value -> !List.of('"', 'n').contains(value.charAt(0)))
        .map(value -> "{\"a\":\"b\",\"c\":" + value + "}");
  }

  @Provide
  Arbitrary<String> headerTexts() {
    return Arbitraries.oneOf(
        Texts.any(), Texts.json(), flat(), Texts.damaged(flat()), Texts.damaged(Texts.json()));
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder();
    JsonString.append(json, text);
    return json.toString();
  }
}
