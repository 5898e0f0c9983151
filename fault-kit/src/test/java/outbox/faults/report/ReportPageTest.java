package outbox.faults.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page that claims nothing which didn't happen. */
class ReportPageTest {

  private static final LocalDate DATE = LocalDate.of(2030, 1, 2);

  @TempDir private Path folder;

  @Test
  void scenariosThatPassedInEveryRunAreClean() throws IOException {
    for (int run = 1; run <= 3; run++) {
      result(run, "F3", true);
      result(run, "F10", true);
    }

    ReportPage page = page(3);

    assertThat(page.isClean()).isTrue();
    assertThat(page.complaints()).isEmpty();
    assertThat(page.text())
        .contains("| verdict | every scenario passed in 3 runs in a row |")
        .contains("| scenarios | 2, of which 2 passed every time, in 3 runs in a row |")
        .contains("| 3 of 3 |");
  }

  @Test
  void scenarioThatIsMissingFromARunIsNotClean() throws IOException {
    result(1, "F3", true);
    result(2, "F3", true);
    result(1, "F10", true);

    ReportPage page = page(2);

    assertThat(page.isClean()).isFalse();
    assertThat(page.complaints())
        .containsExactly(
            "F10 nothing is lost, on MariaDB: 1 of 2 runs passed, 0 failed, 1 left no result");
    assertThat(page.text())
        .contains("**1 of 2 scenarios failed, or left no result, in 2 runs in a row**")
        .contains("| **1 of 2** |");
  }

  @Test
  void scenarioThatOnlyTheLastRunHadIsExpectedOfAll() throws IOException {
    result(1, "F3", true);
    result(2, "F3", true);
    result(2, "F10", true);

    assertThat(page(2).isClean()).isFalse();
  }

  @Test
  void runThatLeftNothingAtAllIsMissing() throws IOException {
    result(1, "F3", true);

    ReportPage page = page(2);

    assertThat(page.isClean()).isFalse();
    assertThat(page.text()).contains("| **1 of 2** |");
  }

  @Test
  void scenarioThatFailedOnceIsNotClean() throws IOException {
    result(1, "F3", true);
    result(2, "F3", false);

    ReportPage page = page(2);

    assertThat(page.isClean()).isFalse();
    assertThat(page.complaints())
        .containsExactly(
            "F3 nothing is lost, on MariaDB: 1 of 2 runs passed, 1 failed, 0 left no result");
  }

  @Test
  void lastResultOfAScenarioInARunCounts() throws IOException {
    result(1, "F3", false);
    result(1, "F3", true);

    assertThat(page(1).isClean()).isTrue();
  }

  @Test
  void moreRunsThanThereWereAreNotClean() throws IOException {
    result(1, "F3", true);
    result(2, "F3", true);

    assertThat(page(1).isClean()).isFalse();
  }

  @Test
  void noResultsAreNotClean() throws IOException {
    assertThat(page(1).isClean()).isFalse();
    assertThat(page(1).text()).contains("**there is no result**");
    assertThatThrownBy(() -> page(0)).hasMessage("runs must be positive, got: 0");
  }

  @Test
  void pageTellsWhatRanAndEverythingAboutAScenario() throws IOException {
    result(1, "F3", true);

    assertThat(page(1).text())
        .contains("| date | 2030-01-02 |")
        .contains("| commit | abc1234 |")
        .containsPattern("\\| machine \\| \\d+ cores, \\d+ GB of memory, \\S.* \\S+ \\|")
        .contains("| versions | Java 21.0.1+12, MariaDB 11.4.2 |")
        .contains(
            "| F3 | nothing is lost | MariaDB | 300 events/s | a node is killed | 1,000 | 4 | 2.5 s"
                + " | 1 of 1 |");
  }

  @Test
  void resultOfAScenarioThatFailedEarlyIsDescribedByAnother() throws IOException {
    result(1, "F3", false, "", "");
    result(2, "F3", true);

    assertThat(page(2).text()).contains("| 300 events/s | a node is killed |");
  }

  @Test
  void pageIsWrittenWhateverTheVerdict() throws IOException {
    Path file = folder.resolve("docs/report.md");
    result(1, "F3", true);
    assertThat(page(1).writeTo(file)).isTrue();
    assertThat(Files.readString(file)).contains("every scenario passed in one run");

    result(1, "F10", false);
    assertThat(page(1).writeTo(file)).isFalse();
    assertThat(Files.readString(file)).contains("**1 of 2 scenarios failed");
  }

  @Test
  void summaryHasTheMostAndTheLongest() {
    Summary summary =
        new Summary(
            List.of(of("F3", 10, 0, Duration.ofSeconds(3)), of("F3", 9, 2, Duration.ZERO)), 2);

    assertThat(summary.written()).isEqualTo(10);
    assertThat(summary.repeated()).isEqualTo(2);
    assertThat(summary.converged()).isEqualTo(Duration.ofSeconds(3));
    assertThat(summary.hasPassed()).isTrue();
  }

  private ReportPage page(int runs) throws IOException {
    return ReportPage.of(folder, runs, "abc1234", DATE);
  }

  private void result(int run, String scenario, boolean passed) {
    result(run, scenario, passed, "300 events/s", "a node is killed");
  }

  private void result(int run, String scenario, boolean passed, String load, String fault) {
    new Result(
            scenario,
            "nothing is lost",
            "MariaDB",
            "MariaDB 11.4.2",
            "Java 21.0.1+12",
            load,
            fault,
            1_000,
            4,
            Duration.ofMillis(2_500),
            Duration.ofSeconds(9),
            passed)
        .save(folder.resolve(String.valueOf(run)));
  }

  private static Result of(String scenario, long written, long repeated, Duration converged) {
    return new Result(
        scenario, "c", "d", "v", "j", "l", "f", written, repeated, converged, converged, true);
  }
}
