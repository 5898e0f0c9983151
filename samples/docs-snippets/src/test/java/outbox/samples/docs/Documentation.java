package outbox.samples.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import outbox.samples.docs.MarkdownPage.CodeBlock;
import outbox.samples.docs.MarkdownPage.Heading;
import outbox.samples.docs.MarkdownPage.Link;

/** All Markdown below a directory, and what is wrong with it; each problem names its place. */
final class Documentation {

  private final Path root;
  private final List<MarkdownPage> pages;

  private Documentation(Path root, List<MarkdownPage> pages) {
    this.root = root;
    this.pages = pages;
  }

  /** The repository that the tests run in. */
  static Documentation ofThisRepository() throws IOException {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("mvnw"))) {
      directory = directory.getParent();
    }
    return under(directory);
  }

  static Documentation under(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(file -> isPage(root.relativize(file))).sorted().toList();
    }
    List<MarkdownPage> pages = new ArrayList<>();
    for (Path file : files) {
      pages.add(MarkdownPage.read(file));
    }
    return new Documentation(root, pages);
  }

  List<String> codeThatDiffersFromItsSource() {
    return blocks((page, block) -> block.source() == null ? null : difference(block));
  }

  List<String> javaWithoutSource() {
    return blocks(
        (page, block) ->
            block.language().equals("java") && block.source() == null
                ? "java without a snippet comment above it"
                : null);
  }

  List<String> deadLinks() {
    List<String> dead = new ArrayList<>();
    for (MarkdownPage page : pages) {
      page.links().stream()
          .filter(Link::isRelative)
          .filter(link -> !leadsSomewhere(page, link.target()))
          .forEach(link -> dead.add(place(page, link.line()) + "dead link: " + link.target()));
    }
    return dead;
  }

  /** Two languages of one page must show the same code under headings of the same levels. */
  List<String> structuralDifferences(String one, String other) {
    MarkdownPage first = page(one);
    MarkdownPage second = page(other);
    List<String> problems = new ArrayList<>();
    if (!levels(first).equals(levels(second))) {
      problems.add("headings differ in number or level: " + levels(first) + levels(second));
    }
    if (!code(first).equals(code(second))) {
      problems.add("code blocks differ:\n" + code(first) + "\n" + code(second));
    }
    return problems;
  }

  MarkdownPage page(String path) {
    return find(root.resolve(path))
        .orElseThrow(() -> new IllegalArgumentException("no such page: " + path));
  }

  /** Any file's text, by its path below the root. */
  String text(String path) throws IOException {
    return Files.readString(root.resolve(path));
  }

  List<MarkdownPage> pages() {
    return pages;
  }

  private static boolean isPage(Path file) {
    for (Path part : file) {
      if (part.toString().equals("target") || part.toString().startsWith(".")) {
        return false;
      }
    }
    return file.toString().endsWith(".md");
  }

  private interface BlockCheck {
    String problem(MarkdownPage page, CodeBlock block);
  }

  private List<String> blocks(BlockCheck check) {
    List<String> problems = new ArrayList<>();
    for (MarkdownPage page : pages) {
      for (CodeBlock block : page.codeBlocks()) {
        String problem = check.problem(page, block);
        if (problem != null) {
          problems.add(place(page, block.line()) + problem);
        }
      }
    }
    return problems;
  }

  private String difference(CodeBlock block) {
    try {
      String source = SourceRegion.read(root, block.source());
      return source.equals(block.text().strip())
          ? null
          : "differs from " + block.source() + ", which is now:\n" + source;
    } catch (IllegalArgumentException | IOException e) {
      return e.getMessage();
    }
  }

  private boolean leadsSomewhere(MarkdownPage from, String target) {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    Path file = path.isEmpty() ? from.file() : from.file().resolveSibling(path).normalize();
    if (hash < 0 || !file.toString().endsWith(".md")) {
      return Files.exists(file);
    }
    return find(file).filter(page -> page.hasAnchor(target.substring(hash + 1))).isPresent();
  }

  private Optional<MarkdownPage> find(Path file) {
    return pages.stream().filter(page -> page.file().equals(file)).findFirst();
  }

  private String place(MarkdownPage page, int line) {
    return root.relativize(page.file()) + ":" + line + ": ";
  }

  private static List<Integer> levels(MarkdownPage page) {
    return page.headings().stream().map(Heading::level).toList();
  }

  private static List<String> code(MarkdownPage page) {
    return page.codeBlocks().stream().map(CodeBlock::text).toList();
  }
}
