package outbox.benchmarks.measurement;

import java.time.Duration;
import java.util.List;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P11: what a node with nothing to do asks of a database full of finished events. */
final class Idle implements Measurement {

  private static final double STATEMENTS_PER_SECOND = 2;
  private static final double SLOWEST_MS = 5;

  @Override
  public List<Line> run(Lab lab) throws Exception {
    lab.took("idle", Entrants.ours(OurOutbox.Tuning.DEFAULTS));
    try (Stage stage = lab.postgres().stage();
        Statements statements = new Statements(lab.postgres(), stage);
        OurOutbox outbox = new OurOutbox(stage.setup(Completion.KEEP), OurOutbox.Tuning.DEFAULTS)) {
      outbox.createTables();
      outbox.fillDone(lab.scale().doneRows(), Duration.ofDays(1));
      stage.settle();
      outbox.start(id -> {});
      lab.pause(lab.scale().warmUp());
      statements.reset();
      lab.pause(lab.scale().idle());
      double perSecond = statements.calls() / lab.scale().idle().toSeconds();
      double slowest = statements.slowestMillis();
      String what = "Idle beside %,d finished events, ".formatted(lab.scale().doneRows());
      return List.of(
          line(what + "statements per second", "", perSecond).atMost(STATEMENTS_PER_SECOND),
          line(what + "slowest statement", "ms", slowest).atMost(SLOWEST_MS));
    }
  }

  private static Line line(String what, String unit, double value) {
    return Line.of(Chapter.P11.name(), what, Entrants.OURS, unit, Samples.of(value));
  }
}
