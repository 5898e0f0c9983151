package outbox.samples.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Markdown file, taken apart as far as the checks need it. */
record MarkdownPage(
    Path file, List<CodeBlock> codeBlocks, List<Heading> headings, List<Link> links) {

  /** A fenced block; {@code source} is what the snippet comment above it names, or null. */
  record CodeBlock(int line, String language, String source, String text) {}

  record Heading(int level, String text) {

    /** The name by which a link reaches the heading. */
    String anchor() {
      return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    }
  }

  record Link(int line, String target) {

    boolean isRelative() {
      return !target.matches("[a-z]+:.*");
    }
  }

  static MarkdownPage read(Path file) throws IOException {
    Reader reader = new Reader();
    Files.readAllLines(file).forEach(reader::accept);
    if (reader.language != null) {
      throw new IllegalArgumentException(file + ":" + reader.opened + ": code block has no end");
    }
    return new MarkdownPage(file, reader.codeBlocks, reader.headings, reader.links);
  }

  boolean hasAnchor(String anchor) {
    return headings.stream().anyMatch(heading -> heading.anchor().equals(anchor));
  }

  /** Takes a file line by line. */
  private static final class Reader {

    private static final Pattern FENCE = Pattern.compile("\\s*```(\\w*)\\s*");
    private static final Pattern SNIPPET = Pattern.compile("\\s*<!-- snippet: (\\S+) -->\\s*");
    private static final Pattern HEADING = Pattern.compile("(#{1,6}) (.+)");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");

    private final List<CodeBlock> codeBlocks = new ArrayList<>();
    private final List<Heading> headings = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<String> code = new ArrayList<>();
    private int line;
    private int opened;
    private String language;
    private String source;

    void accept(String text) {
      line++;
      Matcher fence = FENCE.matcher(text);
      if (language != null) {
        inCode(text, fence.matches());
      } else if (fence.matches()) {
        language = fence.group(1);
        opened = line;
      } else {
        inText(text);
      }
    }

    private void inCode(String text, boolean isEnd) {
      if (!isEnd) {
        code.add(text);
        return;
      }
      codeBlocks.add(new CodeBlock(opened, language, source, String.join("\n", code)));
      code.clear();
      language = null;
      source = null;
    }

    private void inText(String text) {
      Matcher snippet = SNIPPET.matcher(text);
      if (snippet.matches()) {
        source = snippet.group(1);
      } else if (!text.isBlank()) {
        source = null;
      }
      Matcher heading = HEADING.matcher(text);
      if (heading.matches()) {
        headings.add(new Heading(heading.group(1).length(), heading.group(2).strip()));
      }
      Matcher link = LINK.matcher(INLINE_CODE.matcher(text).replaceAll("code"));
      while (link.find()) {
        links.add(new Link(line, link.group(1)));
      }
    }
  }
}
