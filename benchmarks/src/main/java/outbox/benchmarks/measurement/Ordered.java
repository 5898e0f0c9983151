package outbox.benchmarks.measurement;

import java.util.List;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;

/** P5: order per aggregate, which this library doesn't have yet. */
final class Ordered implements Measurement {

  @Override
  public List<Line> run(Lab lab) {
    return List.of(
        Line.notMeasured(
            Chapter.P5.name(),
            "Ordered drain, 10,000 keys",
            Entrants.OURS,
            "order per aggregate is not there yet"));
  }
}
