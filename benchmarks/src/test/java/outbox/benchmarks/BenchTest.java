package outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.measurement.Scale;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Report;
import outbox.benchmarks.report.ReportFile;
import outbox.benchmarks.report.Verdict;

/** Runs every contender for real; says nothing about speed. */
class BenchTest {

  private static final Scale TINY =
      new Scale(
          0,
          300,
          400,
          Duration.ofMillis(100),
          Duration.ofMillis(500),
          Duration.ofMillis(500),
          Duration.ofMillis(500),
          Duration.ofSeconds(30),
          100,
          2,
          500,
          200,
          500,
          Duration.ofSeconds(1));

  @TempDir static Path folder;
  private static Report report;

  @BeforeAll
  static void measure() throws Exception {
    BenchOptions options = BenchOptions.parse("P1", "P2", "--quick", "--output", folder.toString());
    report = new Bench(options, TINY, new PrintStream(OutputStream.nullOutputStream())).run();
  }

  @Test
  void everyContenderWritesAndDrains() {
    List<Line> measured =
        report.lines().stream().filter(line -> line.verdict() != Verdict.NOT_MEASURED).toList();

    assertThat(measured).allSatisfy(line -> assertThat(line.median()).isPositive());
    assertThat(measured)
        .filteredOn(line -> line.measurement().equals("P1"))
        .extracting(Line::contender)
        .containsExactly(
            "raw JDBC",
            "raw JDBC, no pool",
            "raw JDBC, our table",
            "outbox",
            "db-scheduler",
            "namastack-outbox",
            "Spring Modulith");
    assertThat(measured)
        .filteredOn(line -> line.measurement().equals("P2"))
        .extracting(Line::contender)
        .containsOnly("raw JDBC", "outbox", "db-scheduler", "namastack-outbox", "Spring Modulith");
  }

  @Test
  void rawIsTheMeasureAndOnlyWeAreJudged() {
    assertThat(report.lines())
        .filteredOn(line -> line.contender().equals(Entrants.RAW))
        .allSatisfy(line -> assertThat(line.ratio()).isEqualTo(1.0));
    assertThat(report.lines())
        .filteredOn(line -> !line.bar().isEmpty())
        .extracting(Line::contender)
        .isNotEmpty()
        .containsOnly(Entrants.OURS);
  }

  @Test
  void resultsAndPageAreOnDisk() throws Exception {
    assertThat(ReportFile.read(folder.resolve("performance/results.json"))).isEqualTo(report);
    assertThat(folder.resolve("performance.md")).content().contains("## P1: Write", "PostgreSQL");
    assertThat(folder.resolve("performance/p1-1.svg")).exists();
  }
}
