package outbox.benchmarks.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import outbox.benchmarks.measurement.OldSnapshot.Round;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Verdict;

/** What the parts of all rounds say; nothing about speed. */
class OldSnapshotTest {

  private static final Offset<Double> ALMOST = within(1e-9);

  @Test
  void roundsThatSlowDownAreNotSavedByOneThatDoesNot() {
    List<Line> lines =
        OldSnapshot.lines(
            50_000,
            List.of(
                new Round(List.of(100.0, 90.0, 150.0), List.of(1.0, 1.0, 1.0)),
                new Round(List.of(100.0, 80.0, 80.0), List.of(1.0, 2.0, 1.2)),
                new Round(List.of(200.0, 190.0, 160.0), List.of(1.0, 3.0, 1.3))));

    Line rate = lines.get(0);
    assertThat(rate.rounds()).containsExactly(100.0, 90.0, 150.0);
    assertThat(rate.ratio()).isCloseTo(0.8, ALMOST);
    assertThat(rate.verdict()).isEqualTo(Verdict.FALLS_SHORT);
    Line claim = lines.get(1);
    assertThat(claim.ratio()).isCloseTo(1.2, ALMOST);
    assertThat(claim.verdict()).isEqualTo(Verdict.FALLS_SHORT);
  }

  @Test
  void oneNoisyRoundCondemnsNothing() {
    List<Line> lines =
        OldSnapshot.lines(
            50_000,
            List.of(
                new Round(List.of(100.0, 95.0), List.of(1.0, 1.0)),
                new Round(List.of(100.0, 40.0), List.of(1.0, 4.0)),
                new Round(List.of(100.0, 92.0), List.of(1.0, 1.05))));

    assertThat(lines).extracting(Line::verdict).containsOnly(Verdict.HOLDS);
  }

  @Test
  void warmUpIsNoPartOfIt() throws Exception {
    try (Lab lab =
        new Lab(Scale.QUICK, 2, List.of(), new PrintStream(OutputStream.nullOutputStream()))) {
      List<Line> lines = new OldSnapshot().run(lab);

      assertThat(lines)
          .allSatisfy(
              line ->
                  assertThat(line.rounds())
                      .hasSize(Scale.QUICK.snapshotParts())
                      .allSatisfy(value -> assertThat(value).isPositive()));
      assertThat(lines.get(0).note()).startsWith("3 parts of 2,000 events after 4,000 to warm up");
    }
  }
}
