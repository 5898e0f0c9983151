package outbox.samples.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a source file that a page quotes: the whole file, or what stands between the comments
 * {@code docs:begin NAME} and {@code docs:end NAME}, moved to the left margin.
 */
final class SourceRegion {

  private static final Pattern MARK =
      Pattern.compile("\\s*(?://|--|#|<!--) docs:(begin|end) ([\\w-]+)(?: -->)?\\s*");

  private SourceRegion() {}

  /**
   * Reads {@code path/to/File.java#NAME} below the root.
   *
   * @throws IllegalArgumentException if there is no such file or region
   */
  static String read(Path root, String reference) throws IOException {
    int hash = reference.indexOf('#');
    Path file = root.resolve(hash < 0 ? reference : reference.substring(0, hash));
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException("no such file: " + reference);
    }
    List<String> lines = Files.readAllLines(file);
    List<String> quoted = hash < 0 ? lines : region(lines, reference.substring(hash + 1));
    if (quoted.isEmpty()) {
      throw new IllegalArgumentException("no such region, or it has no end: " + reference);
    }
    List<String> code = quoted.stream().filter(line -> !MARK.matcher(line).matches()).toList();
    return withoutBlankEnds(String.join("\n", code)).stripIndent();
  }

  /** A blank last line would count as one without indentation. */
  private static String withoutBlankEnds(String code) {
    return code.replaceAll("\\A(\\s*\\n)+|\\s+\\z", "");
  }

  private static List<String> region(List<String> lines, String name) {
    List<String> region = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      Matcher mark = MARK.matcher(line);
      if (mark.matches() && mark.group(2).equals(name)) {
        if (mark.group(1).equals("end")) {
          return region;
        }
        inside = true;
      } else if (inside) {
        region.add(line);
      }
    }
    return List.of();
  }
}
