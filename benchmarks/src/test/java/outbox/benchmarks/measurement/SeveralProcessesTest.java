package outbox.benchmarks.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Verdict;

/** Four JVMs write to one table and deliver from it, each event once. */
class SeveralProcessesTest {

  private final Lab lab =
      new Lab(Scale.QUICK, 1, List.of(), new PrintStream(OutputStream.nullOutputStream()));

  @Test
  void onPostgres() throws Exception {
    try (lab) {
      assertNothingLostAndNothingTwice(SeveralProcesses.run(lab, lab.postgres()));
    }
  }

  @Test
  void onMariaDb() throws Exception {
    try (lab) {
      assertNothingLostAndNothingTwice(SeveralProcesses.run(lab, lab.mariaDb()));
    }
  }

  private static void assertNothingLostAndNothingTwice(List<Line> lines) {
    assertThat(lines)
        .hasSize(2)
        .allSatisfy(line -> assertThat(line.verdict()).isEqualTo(Verdict.HOLDS));
  }
}
