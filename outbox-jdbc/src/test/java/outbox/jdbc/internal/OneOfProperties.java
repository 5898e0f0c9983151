package outbox.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class OneOfProperties {

  @Property
  void listHasAPlaceForEachValueAndNoOthers(
      @ForAll @Size(min = 1, max = 70) List<@From("texts") String> values) {
    Condition condition = OneOf.LIST.condition("c", values);

    assertThat(condition.sql()).matches("c IN \\(\\?(, \\?)*\\)");
    assertThat(condition.sql().chars().filter(c -> c == '?'))
        .hasSize(condition.parameters().size());
    assertThat(Integer.bitCount(condition.parameters().size())).isEqualTo(1);
    assertThat(new LinkedHashSet<>(condition.parameters())).isEqualTo(new LinkedHashSet<>(values));
  }

  @Property
  void arrayIsReadAgainByItsDatabasesRules(
      @ForAll @Size(min = 1, max = 10) List<@From("texts") String> values) {
    Condition condition = OneOf.ARRAY.condition("c", values);

    assertThat(condition.sql()).isEqualTo("c = ANY (?)");
    String text = ((ArrayParameter) condition.parameters().get(0)).text();
    assertThat(elements(text)).isEqualTo(values);
  }

  @Property
  void chunksHaveEverythingInItsOrder(
      @ForAll OneOf oneOf, @ForAll @IntRange(max = 2000) int count) {
    List<Integer> values = IntStream.range(0, count).boxed().toList();

    List<List<Integer>> chunks = oneOf.chunks(values);

    assertThat(chunks.stream().flatMap(List::stream).toList()).isEqualTo(values);
    assertThat(chunks).noneMatch(List::isEmpty);
  }

  /** PostgreSQL's: in quotes, a backslash takes the meaning of the character after it. */
  private static List<String> elements(String array) {
    assertThat(array).startsWith("{").endsWith("}");
    List<String> elements = new ArrayList<>();
    int at = 1;
    while (at < array.length() - 1) {
      assertThat(array.charAt(at++)).isEqualTo('"');
      StringBuilder element = new StringBuilder();
      for (; array.charAt(at) != '"'; at++) {
        at += array.charAt(at) == '\\' ? 1 : 0;
        element.append(array.charAt(at));
      }
      elements.add(element.toString());
      assertThat(array.charAt(++at)).isIn(',', '}');
      at += array.charAt(at) == ',' ? 1 : 0;
    }
    return elements;
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().withChars("\\\",{}' N").ofMaxLength(6),
        Arbitraries.strings().ofMaxLength(10),
        Arbitraries.of("NULL", "", "?"));
  }
}
