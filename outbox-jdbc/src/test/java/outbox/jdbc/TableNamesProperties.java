package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class TableNamesProperties {

  @Property(tries = 1000)
  void onlyPlainIdentifiersPass(@ForAll("texts") String text) {
    boolean passes;
    try {
      assertThat(TableNames.validate(text)).isEqualTo(text);
      passes = true;
    } catch (IllegalArgumentException e) {
      passes = false;
    }

    assertThat(passes).isEqualTo(isPlain(text));
  }

  /** Whatever is in a statement was a plain identifier, or two with a dot between them. */
  @Property(tries = 1000)
  void nameThatWasReadStandsInStatementsAsItWasWritten(@ForAll("texts") String text) {
    boolean passes;
    try {
      assertThat(TableName.parse(text)).hasToString(text);
      passes = true;
    } catch (IllegalArgumentException e) {
      passes = false;
    }

    int dot = text.indexOf('.');
    boolean isName =
        dot < 0
            ? isPlain(text)
            : isPlain(text.substring(0, dot)) && isPlain(text.substring(dot + 1));
    assertThat(passes).isEqualTo(isName);
  }

  @Property
  void nameIsReadAgainFromItsText(
      @ForAll("identifiers") String schema, @ForAll("identifiers") String name) {
    TableName table = TableName.of(schema, name);

    assertThat(TableName.parse(table.toString())).isEqualTo(table);
  }

  private static boolean isPlain(String text) {
    return !text.isEmpty()
        && text.length() <= 63
        && !(text.charAt(0) >= '0' && text.charAt(0) <= '9')
        && text.chars().allMatch(TableNamesProperties::isPlain);
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> odd =
        Arbitraries.oneOf(
            Arbitraries.of(".", "$", "\"", ";", "`", " ", "\n", "--", "/*", "ſ", "K", "٣", "é"),
            Arbitraries.chars().all().map(String::valueOf));
    Arbitrary<String> qualified =
        Combinators.combine(identifiers(), identifiers()).as((schema, name) -> schema + "." + name);
    return Arbitraries.oneOf(
        identifiers(),
        qualified,
        Combinators.combine(identifiers(), odd, identifiers()).as((a, b, c) -> a + b + c),
        Combinators.combine(qualified, odd).as((a, b) -> a + b));
  }

  @Provide
  Arbitrary<String> identifiers() {
    Arbitrary<String> first =
        Arbitraries.strings().withCharRange('a', 'z').withChars("_AZ").ofLength(1);
    Arbitrary<String> rest =
        Arbitraries.oneOf(
            Arbitraries.strings().alpha().numeric().withChars('_').ofMaxLength(10),
            Arbitraries.strings().alpha().numeric().ofMinLength(60).ofMaxLength(62));
    return Combinators.combine(first, rest).as(String::concat);
  }
}
