package outbox.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class PageTest {

  @TempDir Path folder;
  private Report report;

  @BeforeEach
  void render() throws Exception {
    report = ReportFile.read(Path.of(PageTest.class.getResource("results.json").toURI()));
    Page.render(report, folder);
  }

  @Test
  void pageNamesMachineVersionsAndDate() throws Exception {
    assertThat(page())
        .contains("| processor | Test CPU, 2 cores |")
        .contains("| PostgreSQL | 18.6, fsync=on |")
        .contains("| date | 2025-01-31 |")
        .contains("| outbox | batchSize 1000 |");
  }

  @Test
  void overviewShowsOnlyWhatIsJudged() throws Exception {
    String page = page();
    String overview = page.substring(page.indexOf("## In short"), page.indexOf("## Where it ran"));

    assertThat(overview)
        .contains("| P2 | Drain 200,000 events, rows kept as DONE | 16,000 events/s | 0.80 |")
        .contains("| P5 | Ordered drain | – |  |  | not measured |")
        .doesNotContain("raw JDBC", "peer");
  }

  @Test
  void everyLineStandsInItsChapterWithMedianRatioBarAndVerdict() throws Exception {
    assertThat(page())
        .containsSubsequence(
            "## P2: Drain a backlog",
            "| raw JDBC | 20,000 events/s | 1.00 |",
            "| **outbox** | 16,000 events/s | 0.80 | ≥ 0.6 of raw | holds |",
            "## P5: Ordered",
            "| **outbox** | – |  |  | not measured |",
            "Ordered drain, outbox: not there yet.",
            "## P7: Another process relays",
            "| **outbox** | 12.50 ms |  | ≤ 10 ms | falls short |");
  }

  @Test
  void chartsAreDrawnWhereThereIsSomethingToCompare() throws Exception {
    assertThat(page())
        .contains("(performance/p2-1.svg)", "(performance/p6-1.svg)")
        .doesNotContain("p5-1.svg", "p7-1.svg");

    assertThat(bars("p2-1.svg")).isEqualTo(3);
    assertThat(bars("p6-1.svg")).isEqualTo(3);
    assertThat(Files.readString(folder.resolve("performance/p2-1.svg")))
        .contains("prefers-color-scheme: dark", "A &amp; B &lt;peer>");
  }

  @Test
  void reportSurvivesItsFile() throws Exception {
    Path file = folder.resolve("deep/results.json");

    ReportFile.write(report, file);

    assertThat(ReportFile.read(file)).isEqualTo(report);
  }

  @Test
  void laterMeasurementsTakeThePlaceOfEarlierOnes() {
    Line again = report.lines().get(report.lines().size() - 1);
    Report later =
        new Report(
            "2025-02-01",
            5,
            false,
            List.of(new Report.Fact("PostgreSQL", "19.0, fsync=on")),
            List.of(new Report.Fact("outbox", "batchSize 2000")),
            List.of(again));

    Report updated = later.inPlaceIn(report);

    assertThat(updated.date()).isEqualTo("2025-02-01");
    assertThat(updated.rounds()).isEqualTo(report.rounds());
    assertThat(updated.lines()).containsOnlyOnce(again).containsAll(others(again));
    assertThat(updated.environment())
        .contains(new Report.Fact("PostgreSQL", "19.0, fsync=on"))
        .hasSameSizeAs(report.environment());
    assertThat(updated.settings()).contains(new Report.Fact("outbox", "batchSize 2000"));
  }

  private List<Line> others(Line measured) {
    return report.lines().stream()
        .filter(line -> !line.measurement().equals(measured.measurement()))
        .toList();
  }

  private String page() throws Exception {
    return Files.readString(folder.resolve("performance.md"));
  }

  private int bars(String chart) throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(folder.resolve("performance").resolve(chart).toFile());
    return svg.getElementsByTagName("rect").getLength();
  }
}
