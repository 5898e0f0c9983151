package outbox.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import outbox.benchmarks.measurement.Lab;
import outbox.benchmarks.measurement.Measurement;
import outbox.benchmarks.measurement.Scale;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Environment;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Page;
import outbox.benchmarks.report.Report;
import outbox.benchmarks.report.ReportFile;
import outbox.benchmarks.report.TextTable;

/** Runs the measurements, prints the table, and writes the results and the page. */
public final class Bench {

  private static final int MISUSED = 2;

  private final BenchOptions options;
  private final Scale scale;
  private final PrintStream progress;

  Bench(BenchOptions options, Scale scale, PrintStream progress) {
    this.options = options;
    this.scale = scale;
    this.progress = progress;
  }

  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    if (List.of(arguments).contains("--help")) {
      System.out.print(BenchOptions.USAGE);
      return;
    }
    try {
      BenchOptions options = BenchOptions.parse(arguments);
      Bench bench = new Bench(options, options.quick() ? Scale.QUICK : Scale.FULL, System.err);
      System.out.print(TextTable.of((options.render() ? bench.render() : bench.run()).lines()));
    } catch (IllegalArgumentException e) {
      System.err.println("outbox: " + e.getMessage() + "; see ./outbox bench --help");
      System.exit(MISUSED);
    }
    // Spring peers may leave threads behind that are not daemons.
    System.exit(0);
  }

  /** Measures; what is finished is on disk after every measurement. */
  Report run() throws Exception {
    List<Line> lines = new ArrayList<>();
    Optional<Report> before = options.update() ? Optional.of(earlier()) : Optional.empty();
    try (Lab lab = new Lab(scale, options.rounds(), options.peers(), progress)) {
      for (Chapter chapter : options.chapters()) {
        progress.printf("%s %s%n", chapter, chapter.title());
        List<Line> measured = Measurement.of(chapter).run(lab);
        progress.print(TextTable.of(measured));
        lines.addAll(measured);
        ReportFile.write(report(lab, lines, before), results());
      }
      Report report = report(lab, lines, before);
      Page.render(report, options.folder());
      progress.printf("written: %s%n", options.folder().resolve("performance.md"));
      return report;
    }
  }

  /** Renders the page again from the results of an earlier run. */
  Report render() throws Exception {
    Report report = earlier();
    Page.render(report, options.folder());
    return report;
  }

  private Report earlier() throws IOException {
    if (!Files.exists(results())) {
      throw new IllegalArgumentException("there are no results of an earlier run in " + results());
    }
    return ReportFile.read(results());
  }

  private Path results() {
    return options.folder().resolve("performance").resolve("results.json");
  }

  private Report report(Lab lab, List<Line> lines, Optional<Report> before) {
    List<Report.Fact> environment = new ArrayList<>(Environment.facts());
    environment.addAll(lab.servers());
    Report report =
        new Report(
            LocalDate.now(ZoneOffset.UTC).toString(),
            options.rounds(),
            options.quick(),
            environment,
            lab.settings(),
            lines);
    return before.map(report::inPlaceIn).orElse(report);
  }
}
