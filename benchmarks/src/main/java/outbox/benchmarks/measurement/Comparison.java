package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.List;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** The lines of rates that are compared with raw JDBC; only ours is judged. */
record Comparison(Chapter chapter, String what, double bar, String reference) {

  List<Line> lines(List<Entrant> entrants, Rounds<Double> rounds) {
    Samples raw = new Samples(rounds.of(Entrants.RAW));
    List<Line> lines = new ArrayList<>();
    for (Entrant entrant : entrants) {
      List<Double> rates = rounds.of(entrant.name());
      if (rates.isEmpty()) {
        lines.add(
            Line.notMeasured(
                chapter.name(), what, entrant.name(), rounds.failureOf(entrant.name())));
      } else {
        lines.add(line(entrant, new Samples(rates), raw));
      }
    }
    return lines;
  }

  private Line line(Entrant entrant, Samples rates, Samples raw) {
    Line line = Line.of(chapter.name(), what, entrant.name(), "events/s", rates).comparedTo(raw);
    return entrant.name().equals(Entrants.OURS) ? line.ratioAtLeast(bar, reference) : line;
  }
}
