package outbox.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineTest {

  @Test
  void medianIsTheMiddleOfTheRounds() {
    assertThat(Samples.of(3, 1, 200).median()).isEqualTo(3);
    assertThat(Samples.of(1, 2, 3, 100).median()).isEqualTo(2.5);
  }

  @Test
  void ratioComparesRoundByRound() {
    Samples raw = Samples.of(100, 50, 1_000);

    assertThat(Samples.of(90, 40, 500).ratioTo(raw)).isEqualTo(0.8);
  }

  @Test
  void ratioIsJudgedByItsBar() {
    Line line = line(95).comparedTo(Samples.of(100));

    assertThat(line.ratioAtLeast(0.93, "raw").verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(line.ratioAtLeast(0.96, "raw").verdict()).isEqualTo(Verdict.FALLS_SHORT);
    assertThat(line.ratioAtLeast(0.93, "raw").bar()).isEqualTo("≥ 0.93 of raw");
  }

  @Test
  void missingRatioFallsShort() {
    assertThat(line(95).ratioAtLeast(0.1, "raw").verdict()).isEqualTo(Verdict.FALLS_SHORT);
  }

  @Test
  void valueIsJudgedByItsBar() {
    assertThat(line(10).atMost(10).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(line(10.1).atMost(10).verdict()).isEqualTo(Verdict.FALLS_SHORT);
  }

  @Test
  void numbersHaveTheDigitsThatMatter() {
    assertThat(Line.number(21_345.67)).isEqualTo("21,346");
    assertThat(Line.number(12.345)).isEqualTo("12.35");
    assertThat(Line.number(0.0123)).isEqualTo("0.012");
    assertThat(Line.number(0)).isEqualTo("0");
  }

  private static Line line(double value) {
    return Line.of("P1", "Write", "outbox", "events/s", Samples.of(value));
  }
}
