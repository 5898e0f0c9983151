package outbox.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;

/** What the command line asks for. */
record BenchOptions(
    List<Chapter> chapters,
    int rounds,
    boolean quick,
    boolean alone,
    boolean render,
    boolean update,
    @Nullable Path output) {

  static final String USAGE =
      """
      Usage: ./outbox bench [P1 P2 …] [options]

      Starts PostgreSQL (and MariaDB for P4, P5 and P12, Kafka for K1) and measures this library
      against raw JDBC and against other libraries in the same run. Prints a table and writes a
      page with charts.
      Without names of measurements it runs all of them, which takes about two hours.

      Measurements:
      %s
      Options:
        --rounds N    interleaved rounds of which the median counts; default 3
        --quick       tiny sizes and one round: shows that everything runs, not how fast
        --alone       leave the other libraries out
        --output DIR  where performance.md goes; default docs for a complete run and its
                      updates, else benchmarks/target/docs
        --update      replace the measurements named in the page, and keep its others
        --render      measure nothing, render the page in the output folder again
        --help        show this text
      """
          .formatted(measurements());

  /** The launcher may be called from anywhere. */
  private static final Path ROOT = Path.of(System.getProperty("outbox.root", ""));

  private static final Path DOCS = ROOT.resolve("docs");
  private static final Path SCRATCH = ROOT.resolve("benchmarks/target/docs");
  private static final int USUAL_ROUNDS = 3;

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException if it can't be understood
   */
  static BenchOptions parse(String... arguments) {
    Set<Chapter> chapters = EnumSet.noneOf(Chapter.class);
    int rounds = 0;
    boolean quick = false;
    boolean alone = false;
    boolean render = false;
    boolean update = false;
    Path output = null;
    Iterator<String> rest = List.of(arguments).iterator();
    while (rest.hasNext()) {
      String argument = rest.next();
      switch (argument) {
        case "--quick" -> quick = true;
        case "--alone" -> alone = true;
        case "--render" -> render = true;
        case "--update" -> update = true;
        case "--rounds" -> rounds = rounds(value(argument, rest));
        case "--output" -> output = Path.of(value(argument, rest));
        default -> chapters.add(Chapter.named(argument));
      }
    }
    List<Chapter> chosen = chapters.isEmpty() ? List.of(Chapter.values()) : List.copyOf(chapters);
    int chosenRounds = rounds > 0 ? rounds : quick ? 1 : USUAL_ROUNDS;
    return new BenchOptions(
        new ArrayList<>(chosen), chosenRounds, quick, alone, render, update, output);
  }

  /** Only runs of full size with everybody in them may change the page in the documentation. */
  Path folder() {
    if (output != null) {
      return output;
    }
    boolean complete = !quick && !alone && (update || chapters.size() == Chapter.values().length);
    return render || complete ? DOCS : SCRATCH;
  }

  /** The other libraries that take part. */
  List<Entrant> peers() {
    return alone ? List.of() : Entrants.peers();
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }

  private static int rounds(String text) {
    if (!text.matches("[1-9]\\d?")) {
      throw new IllegalArgumentException(
          "--rounds must be a whole number from 1 to 99, got: " + text);
    }
    return Integer.parseInt(text);
  }

  private static String measurements() {
    StringBuilder text = new StringBuilder();
    for (Chapter chapter : Chapter.values()) {
      text.append("  %-5s%s%n".formatted(chapter, chapter.title()));
    }
    return text.toString();
  }
}
