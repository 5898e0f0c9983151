package outbox.faults.report;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * What one run of a scenario showed.
 *
 * @param scenario its number, such as {@code F3}
 * @param version the database's name and version
 * @param java the version of Java that it ran on
 * @param converged how long after the fault all was delivered that was committed before, or the
 *     longest that an event took where the fault has no moment; negative if nothing was judged
 * @param passed nothing failed, what came before and after the scenario itself included
 */
public record Result(
    String scenario,
    String claim,
    String database,
    String version,
    String java,
    String load,
    String fault,
    long written,
    long repeated,
    Duration converged,
    Duration taken,
    boolean passed) {

  private static final String SUFFIX = ".result";

  /** In the order of their numbers. */
  private static final Comparator<Result> BY_NUMBER =
      Comparator.comparing((Result result) -> result.scenario().charAt(0))
          .thenComparingInt(result -> Integer.parseInt(result.scenario().substring(1)))
          .thenComparing(Result::claim)
          .thenComparing(Result::database, Comparator.reverseOrder());

  /** Into the folder of its run, where there is one result of each scenario: the last. */
  public void save(Path folder) {
    Properties values = new Properties();
    values.setProperty("scenario", scenario);
    values.setProperty("claim", claim);
    values.setProperty("database", database);
    values.setProperty("version", version);
    values.setProperty("java", java);
    values.setProperty("load", load);
    values.setProperty("fault", fault);
    values.setProperty("written", String.valueOf(written));
    values.setProperty("repeated", String.valueOf(repeated));
    values.setProperty("converged", converged.toString());
    values.setProperty("taken", taken.toString());
    values.setProperty("passed", String.valueOf(passed));
    try {
      Files.createDirectories(folder);
      String name = "%s-%s-%s".formatted(scenario, claim, database).replaceAll("\\W+", "-");
      try (Writer file = Files.newBufferedWriter(folder.resolve(name + SUFFIX))) {
        values.store(file, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Those of all runs in the folder. */
  static List<Result> readAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(SUFFIX))
          .map(Result::read)
          .sorted(BY_NUMBER)
          .toList();
    }
  }

  private static Result read(Path path) {
    Properties values = new Properties();
    try (Reader file = Files.newBufferedReader(path)) {
      values.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Result(
        values.getProperty("scenario"),
        values.getProperty("claim"),
        values.getProperty("database"),
        values.getProperty("version"),
        values.getProperty("java"),
        values.getProperty("load"),
        values.getProperty("fault"),
        Long.parseLong(values.getProperty("written")),
        Long.parseLong(values.getProperty("repeated")),
        Duration.parse(values.getProperty("converged")),
        Duration.parse(values.getProperty("taken")),
        Boolean.parseBoolean(values.getProperty("passed")));
  }
}
