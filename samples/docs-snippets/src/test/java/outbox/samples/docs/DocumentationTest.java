package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

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
}
