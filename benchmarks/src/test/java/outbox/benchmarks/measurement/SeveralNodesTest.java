package outbox.benchmarks.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;
import outbox.benchmarks.report.Verdict;

class SeveralNodesTest {

  @Test
  void everyNumberOfNodesHasItsTurnAtEveryPlace() {
    assertThat(SeveralNodes.inTurn(1)).containsExactly(1, 2, 4);
    assertThat(SeveralNodes.inTurn(2)).containsExactly(2, 4, 1);
    assertThat(SeveralNodes.inTurn(3)).containsExactly(4, 1, 2);
    assertThat(SeveralNodes.inTurn(4)).containsExactly(1, 2, 4);
  }

  @Test
  void ratioIsTheMedianOfTheRoundsAndThePageShowsAllOfThem() {
    Samples one = Samples.of(100, 200, 400);

    Line two = SeveralNodes.line(Entrants.OURS, 2, Samples.of(110, 160, 396), one);

    assertThat(two.ratio()).isCloseTo(0.99, within(1e-9));
    assertThat(two.verdict()).isEqualTo(Verdict.FALLS_SHORT);
    assertThat(two.note()).isEqualTo("the ratio is the median of the rounds' [1.10, 0.80, 0.99]");
  }

  @Test
  void handWrittenStatementsAreComparedAndNotJudged() {
    Line four = SeveralNodes.line(Entrants.RAW, 4, Samples.of(50), Samples.of(100));

    assertThat(four.ratio()).isCloseTo(0.5, within(1e-9));
    assertThat(four.verdict()).isEqualTo(Verdict.NO_BAR);
  }
}
