package outbox.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short run over the corpus, always the same; {@code make fuzz} goes on from there. */
class TargetTest {

  private static final Path CORPUS = Path.of("src", "main", "corpus");
  private static final int MUTANTS = 2_000;
  private static final int LARGE = 300_000;

  @ParameterizedTest
  @EnumSource
  void corpusAndItsMutantsAreReadOrRefused(Target target) {
    List<String> corpus = corpus(target);
    SplittableRandom random = new SplittableRandom(42);
    assertThat(corpus).isNotEmpty();
    corpus.forEach(target::accept);

    for (int i = 0; i < MUTANTS; i++) {
      String mutant = Mutants.of(corpus, random);
      try {
        target.accept(mutant);
      } catch (Throwable e) {
        throw new AssertionError(target + " fails with " + escaped(mutant), e);
      }
    }
  }

  /** What is quadratic doesn't keep the time that a target has. */
  @ParameterizedTest
  @EnumSource
  void largeTextsTakeNoLongerThanTheyAreLong(Target target) {
    for (String text : corpus(target)) {
      String part = text.isEmpty() ? "a" : text;
      target.accept(part.repeat(LARGE / part.length()));
    }
    for (String part : List.of("[", "{\"a\":", "\"", "\\", " ", "\n", "(", "\uD83D", "a.")) {
      target.accept(part.repeat(LARGE / part.length()));
    }
    target.accept("{\"a\":\"" + "\\u0041".repeat(LARGE / 6) + "\"}");
    target.accept("{\"a\":\"b\"" + ",\"a\":\"b\"".repeat(LARGE / 8) + "}");
  }

  private static List<String> corpus(Target target) {
    Path folder = CORPUS.resolve(target.name().toLowerCase(Locale.ROOT));
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().map(TargetTest::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder();
    text.chars()
        .forEach(
            c ->
                escaped.append(
                    c >= ' ' && c <= '~' ? Character.toString(c) : "\\u%04x".formatted(c)));
    return escaped.toString();
  }
}
