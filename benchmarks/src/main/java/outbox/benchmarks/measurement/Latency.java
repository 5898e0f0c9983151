package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.measurement.Latencies.Percentiles;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P3b: how long after the commit the listener is called, at a moderate pace. */
final class Latency implements Measurement {

  static final int EVENTS_PER_SECOND = 500;

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Entrant> entrants = new ArrayList<>(List.of(Entrants.ours()));
    entrants.addAll(lab.peers());
    entrants.forEach(entrant -> lab.took("", entrant));
    Rounds<Percentiles> rounds =
        Rounds.interleaved(lab, "Latency", entrants, entrant -> measure(lab, entrant));
    List<Line> lines = new ArrayList<>();
    lines.addAll(lines("Latency at 500 events/s, p50", entrants, rounds, Percentiles::p50));
    lines.addAll(lines("Latency at 500 events/s, p99", entrants, rounds, Percentiles::p99));
    return lines;
  }

  private static List<Line> lines(
      String what,
      List<Entrant> entrants,
      Rounds<Percentiles> rounds,
      ToDoubleFunction<Percentiles> percentile) {
    List<Line> lines = new ArrayList<>();
    for (Entrant entrant : entrants) {
      List<Double> values =
          rounds.of(entrant.name()).stream().map(percentile::applyAsDouble).toList();
      lines.add(
          values.isEmpty()
              ? Line.notMeasured(
                  Chapter.P3b.name(), what, entrant.name(), rounds.failureOf(entrant.name()))
              : Line.of(Chapter.P3b.name(), what, entrant.name(), "ms", new Samples(values)));
    }
    double bestPeer =
        lines.stream()
            .skip(1)
            .filter(line -> !line.rounds().isEmpty())
            .mapToDouble(Line::median)
            .min()
            .orElse(Double.POSITIVE_INFINITY);
    Line ours = lines.get(0);
    lines.set(0, ours.judged("≤ the best peer's", ours.median() <= bestPeer));
    return lines;
  }

  static Percentiles measure(Lab lab, Entrant entrant) throws Exception {
    int warmUp = (int) (lab.scale().warmUp().toMillis() * EVENTS_PER_SECOND / 1_000);
    int events = warmUp + (int) (lab.scale().latency().toMillis() * EVENTS_PER_SECOND / 1_000);
    Latencies latencies = new Latencies(events);
    try (Stage stage = lab.postgres().stage();
        Contender contender = entrant.open(stage.setup(entrant.usualCompletion()))) {
      contender.createTables();
      contender.start(id -> latencies.delivered(id, System.nanoTime()));
      try (Load load =
          Load.paced(
              contender,
              new AtomicLong(),
              EVENTS_PER_SECOND,
              id -> latencies.committed(id, System.nanoTime()))) {
        load.goOnFor(lab.scale().warmUp().plus(lab.scale().latency()));
      }
      lab.pause(lab.scale().warmUp());
    }
    return latencies.percentiles(warmUp);
  }
}
