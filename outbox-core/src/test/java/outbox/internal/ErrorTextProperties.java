package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import outbox.properties.Texts;

class ErrorTextProperties {

  @Property
  void truncatedTextIsTheBeginningAndAsLongAsItMayBe(
      @ForAll("any") String text, @ForAll @IntRange(min = 1, max = 50) int length) {
    String cut = ErrorText.truncate(text, length);

    assertThat(text.replace('\0', '\uFFFD')).startsWith(cut);
    assertThat(cut).hasSizeLessThanOrEqualTo(length);
    assertThat(cut.length()).isGreaterThanOrEqualTo(Math.min(text.length(), length - 1));
  }

  @Property
  void truncatedTextIsWellFormedIfTheTextWas(
      @ForAll("wellFormed") String text, @ForAll @IntRange(min = 1, max = 50) int length) {
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(ErrorText.truncate(text, length)))
        .isTrue();
  }

  @Property
  void harmlessTextIsOneLineAndHasAllThatIsVisible(@ForAll("any") String text) {
    String harmless = ErrorText.harmless(text);

    assertThat(harmless.chars().noneMatch(Character::isISOControl)).isTrue();
    assertThat(harmless.lines().count()).isLessThanOrEqualTo(1);
    assertThat(ErrorText.harmless(harmless)).isEqualTo(harmless);
    assertThat(printable(harmless)).isEqualTo(printable(text));
  }

  @Property
  void asciiHasAsManyCharactersAndNoOthers(@ForAll("any") String text) {
    assertThat(ErrorText.ascii(text)).matches("[ -~]*").hasSize(chars(text));
  }

  @Property
  void failureIsToldWithEveryMessageAsFarAsThereIsRoom(
      @ForAll @Size(max = 70) List<@From("messages") String> messages) {
    Throwable failure = new IOException("last");
    for (String message : messages) {
      failure = new IllegalStateException(message, failure);
    }

    String text = ErrorText.of(failure);

    assertThat(text).isNotBlank().hasSizeLessThanOrEqualTo(ErrorText.MAX_LENGTH);
    String outermost = messages.isEmpty() ? "last" : messages.get(messages.size() - 1);
    assertThat(text).contains(outermost == null || outermost.isBlank() ? "java." : nul(outermost));
    assertThat(ErrorText.classNames(failure)).isNotBlank().doesNotContain("last");
  }

  @Provide
  Arbitrary<String> any() {
    return Texts.any();
  }

  @Provide
  Arbitrary<String> wellFormed() {
    return Texts.wellFormed();
  }

  @Provide
  Arbitrary<String> messages() {
    return Arbitraries.oneOf(Texts.wellFormed(), Arbitraries.of("", " ")).injectNull(0.1);
  }

  private static String nul(String text) {
    return text.replace('\0', '\uFFFD');
  }

  private static String printable(String text) {
    return text.replaceAll("[^!-~]", "");
  }

  /** A pair of surrogates is one character to whoever replaces it. */
  private static int chars(String text) {
    return text.codePointCount(0, text.length());
  }
}
