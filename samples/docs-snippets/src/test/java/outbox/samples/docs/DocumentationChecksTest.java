package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks themselves: each fails for what it is there to find. */
class DocumentationChecksTest {

  private static final String SOURCE =
      """
      class Sample {
        void run() {
          // docs:begin write

          if (ready) {
            write();
          }

          // docs:end write
          // docs:begin open
        }
      }
      """;

  private static final String WRITE =
      """
      if (ready) {
        write();
      }
      """;

  @TempDir Path root;

  @Test
  void quotedRegionMayBeIndentedInItsSource() throws IOException {
    write("Sample.java", SOURCE);
    write("page.md", quote("Sample.java#write", WRITE));

    assertThat(documentation().codeThatDiffersFromItsSource()).isEmpty();
    assertThat(documentation().javaWithoutSource()).isEmpty();
  }

  @Test
  void quotedCodeThatDriftedIsReportedWithItsPlace() throws IOException {
    write("Sample.java", SOURCE);
    write("docs/page.md", "# Title\n" + quote("Sample.java#write", WRITE.replace("ready", "late")));

    assertThat(documentation().codeThatDiffersFromItsSource())
        .singleElement()
        .asString()
        .startsWith("docs/page.md:3: differs from Sample.java#write");
  }

  @Test
  void unknownFileUnknownRegionAndOpenRegionAreReported() throws IOException {
    write("Sample.java", SOURCE);
    write(
        "page.md",
        quote("Gone.java#write", WRITE)
            + quote("Sample.java#gone", WRITE)
            + quote("Sample.java#open", "}\n"));

    assertThat(documentation().codeThatDiffersFromItsSource()).hasSize(3);
  }

  @Test
  void javaWithoutSourceIsReported() throws IOException {
    write("page.md", "```java\nwrite();\n```\n```sh\nls\n```\n");

    assertThat(documentation().javaWithoutSource()).hasSize(1);
  }

  @Test
  void snippetCommentCountsOnlyRightAboveTheCode() throws IOException {
    write("page.md", "<!-- snippet: Sample.java#write -->\ntext\n```java\nwrite();\n```\n");

    assertThat(documentation().javaWithoutSource()).hasSize(1);
  }

  @Test
  void deadFilesAndAnchorsAreReportedAndOtherAddressesAreNot() throws IOException {
    write("other.md", "## What is `new`?\n");
    write(
        "page.md",
        """
        # Page
        [a](other.md) [b](other.md#what-is-new) [c](#page) [d](https://example.org/x)
        [e](gone.md) [f](other.md#gone) [g](#gone) `[h](not-a-link.md)`
        ```text
        [i](not-a-link.md)
        ```
        """);

    assertThat(documentation().deadLinks())
        .containsExactly(
            "page.md:3: dead link: gone.md",
            "page.md:3: dead link: other.md#gone",
            "page.md:3: dead link: #gone");
  }

  @Test
  void pagesWithOtherCodeOrOtherHeadingsAreNotInStep() throws IOException {
    write("en.md", "# A\n## B\n```sh\nls\n```\n");
    write("same.md", "# 甲\n## 乙\n```sh\nls\n```\n");
    write("heading.md", "# 甲\n### 乙\n```sh\nls\n```\n");
    write("code.md", "# 甲\n## 乙\n```sh\ncat\n```\n");

    assertThat(documentation().structuralDifferences("en.md", "same.md")).isEmpty();
    assertThat(documentation().structuralDifferences("en.md", "heading.md")).hasSize(1);
    assertThat(documentation().structuralDifferences("en.md", "code.md")).hasSize(1);
  }

  @Test
  void codeBlockWithoutEndIsRefused() throws IOException {
    write("page.md", "# Page\n```java\nwrite();\n");

    assertThatThrownBy(this::documentation)
        .hasMessageEndingWith("page.md:2: code block has no end");
  }

  @Test
  void builtFilesAreNotPages() throws IOException {
    write("target/page.md", "[a](gone.md)");
    write(".git/page.md", "[a](gone.md)");

    assertThat(documentation().pages()).isEmpty();
  }

  private Documentation documentation() throws IOException {
    return Documentation.under(root);
  }

  private static String quote(String reference, String code) {
    return "<!-- snippet: %s -->\n```java\n%s```\n".formatted(reference, code);
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
