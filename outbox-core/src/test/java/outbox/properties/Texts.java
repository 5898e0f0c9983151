package outbox.properties;

import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Texts that those who read and write them get wrong. */
public final class Texts {

  private static final String SPECIAL = "{}[]\",:\\/ \t\n\r\0\b\f\u001f\u007f0-1.eEtrufalsn!%_'$;";

  private Texts() {}

  /** Any sequence of chars, also such as no encoding has. */
  public static Arbitrary<String> any() {
    return joined(
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.chars().range(' ', '~')),
            Tuple.of(3, Arbitraries.chars().with(SPECIAL.toCharArray())),
            Tuple.of(1, Arbitraries.chars().range('\0', '\u001f')),
            Tuple.of(2, Arbitraries.chars().range('\ud800', '\udfff')),
            Tuple.of(2, Arbitraries.chars().range('\0', '\uffff'))));
  }

  /** Whatever has a form in UTF-8. */
  public static Arbitrary<String> wellFormed() {
    return Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.integers().between(0, 0x7f)),
            Tuple.of(2, Arbitraries.integers().between(0x80, 0xd7ff)),
            Tuple.of(1, Arbitraries.integers().between(0xe000, 0xffff)),
            Tuple.of(2, Arbitraries.integers().between(0x10000, 0x10ffff)))
        .list()
        .ofMaxSize(40)
        .map(codes -> codes.stream().map(Character::toString).collect(Collectors.joining()));
  }

  /** JSON of any shape, with space where it may be. */
  public static Arbitrary<String> json() {
    return Arbitraries.lazyOf(
        () -> Arbitraries.of("null", "true", "false", "0", "-1.5e+3", "12E-7", "\"\""),
        Texts::string,
        () -> Texts.json().list().ofMaxSize(3).map(Texts::array),
        () -> Texts.member().list().ofMaxSize(3).map(Texts::object));
  }

  /** A text after some mishaps, which may have mended it again. */
  public static Arbitrary<String> damaged(Arbitrary<String> texts) {
    Arbitrary<List<Mishap>> mishaps =
        Combinators.combine(
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(0, 1000),
                Arbitraries.frequencyOf(
                    Tuple.of(3, Arbitraries.chars().with(SPECIAL.toCharArray())),
                    Tuple.of(1, Arbitraries.chars().range('\0', '\uffff'))))
            .as(Mishap::new)
            .list()
            .ofMinSize(1)
            .ofMaxSize(4);
    return Combinators.combine(texts, mishaps)
        .as(
            (text, all) -> {
              String damaged = text;
              for (Mishap mishap : all) {
                damaged = mishap.happenTo(damaged);
              }
              return damaged;
            });
  }

  private record Mishap(int kind, int place, char c) {

    String happenTo(String text) {
      int at = place % (text.length() + 1);
      String rest = text.substring(Math.min(at + 1, text.length()));
      return switch (kind) {
        case 0 -> text.substring(0, at); // cut off
        case 1 -> text.substring(0, at) + rest; // one missing
        case 2 -> text.substring(0, at) + c + rest; // one changed
        default -> text.substring(0, at) + c + text.substring(at); // one more
      };
    }
  }

  private static Arbitrary<String> string() {
    Arbitrary<String> parts =
        Arbitraries.oneOf(
            Arbitraries.of("\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"),
            Arbitraries.integers().between(0, 0xffff).map("\\u%04x"::formatted),
            Arbitraries.integers().between(0, 0xffff).map("\\u%04X"::formatted),
            Arbitraries.chars()
                .range(' ', '\uffff')
                .filter(c -> c != '"' && c != '\\')
                .map(String::valueOf));
    return parts.list().ofMaxSize(5).map(all -> '"' + String.join("", all) + '"');
  }

  private static Arbitrary<String> member() {
    return Combinators.combine(string(), space(), json()).as((k, s, v) -> k + s + ":" + s + v);
  }

  private static String array(List<String> values) {
    return "[" + String.join(",", values) + "]";
  }

  private static String object(List<String> members) {
    return "{ " + String.join("\t,\n", members) + "\r}";
  }

  private static Arbitrary<String> space() {
    return Arbitraries.of("", " ", "\n\t", "\r");
  }

  private static Arbitrary<String> joined(Arbitrary<Character> chars) {
    return chars
        .list()
        .ofMaxSize(40)
        .map(all -> all.stream().map(String::valueOf).collect(Collectors.joining()));
  }
}
