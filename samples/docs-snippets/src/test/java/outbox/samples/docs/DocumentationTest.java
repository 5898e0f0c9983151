package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What this repository's own pages must hold to. */
class DocumentationTest {

  private final Documentation documentation = Documentation.ofThisRepository();

  DocumentationTest() throws IOException {}

  @Test
  void quotedCodeEqualsItsSource() {
    assertThat(documentation.codeThatDiffersFromItsSource()).isEmpty();
  }

  @Test
  void javaIsQuotedFromCompiledCode() {
    assertThat(documentation.javaWithoutSource()).isEmpty();
  }

  @Test
  void relativeLinksLeadSomewhere() {
    assertThat(documentation.deadLinks()).isEmpty();
  }

  @Test
  void bothLanguagesOfTheReadmeAreInStep() {
    assertThat(documentation.structuralDifferences("README.md", "README.zh-CN.md")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "README.zh-CN.md"})
  void installedVersionIsTheOneOfThisBuild(String readme) throws IOException {
    String pom = documentation.text("samples/docs-snippets/pom.xml");
    String version = firstMatch("<artifactId>outbox-parent</artifactId>\\s*<version>(.+?)<", pom);
    String page = documentation.text(readme);

    assertThat(firstMatch("<artifactId>outbox-bom</artifactId>\\s*<version>(.+?)<", page))
        .isEqualTo(version);
  }

  private static String firstMatch(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .findFirst()
        .map(match -> match.group(1))
        .orElseThrow();
  }
}
