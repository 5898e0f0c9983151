package outbox.benchmarks.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Four JVMs write to one table and deliver from it, each event once, whatever way it takes. */
class SeveralProcessesTest {

  private final Lab lab =
      new Lab(Scale.QUICK, 1, List.of(), new PrintStream(OutputStream.nullOutputStream()));

  @Test
  void onPostgres() throws Exception {
    try (lab) {
      assertNothingLostAndNothingTwice(SeveralProcesses.measure(lab, lab.postgres()));
    }
  }

  @Test
  void onMariaDb() throws Exception {
    try (lab) {
      assertNothingLostAndNothingTwice(SeveralProcesses.measure(lab, lab.mariaDb()));
    }
  }

  private static void assertNothingLostAndNothingTwice(SeveralProcesses.Result result) {
    assertThat(result.lost()).as("lost").isZero();
    assertThat(result.duplicates()).as("duplicates").isZero();
    assertThat(result.straight()).as("straight from their commit").isPositive();
    assertThat(result.overflowed()).as("without room").isPositive();
    assertThat(result.released()).as("claimed and given back").isPositive();
    assertThat(result.byOthers()).as("delivered by another than the writer").isPositive();
    assertThat(result.failed())
        .as("tries of which each event that fails has one")
        .isGreaterThanOrEqualTo(result.events() / 20);
  }
}
