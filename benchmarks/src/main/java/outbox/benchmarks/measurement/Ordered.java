package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.contender.OurOutbox.Tuning;
import outbox.benchmarks.measurement.Latencies.Percentiles;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P5: what it costs to deliver the events of each aggregate in order. */
final class Ordered implements Measurement {

  private static final double BAR = 0.5;
  private static final double BLOCKED_BAR = 0.9;
  private static final int LATENCY_KEYS = 1_000;

  /** What the statement has in it that reads events in order on PostgreSQL, and no other. */
  private static final String READING = "%txid_current_snapshot%";

  /** A backlog, behind so many events of one aggregate that is blocked, and how it is drained. */
  private record Trial(String name, Tuning tuning, int blocked) {}

  private record Drained(double eventsPerSecond, double readMillis, long misplaced) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.0f events/s, reads of %.2f ms, %d misplaced",
          eventsPerSecond,
          readMillis,
          misplaced);
    }
  }

  /** What came out of each trial, round by round. */
  private record Results(Map<Trial, List<Drained>> byTrial) {

    Samples of(Trial trial, ToDoubleFunction<Drained> value) {
      return new Samples(
          byTrial.getOrDefault(trial, List.of()).stream().map(value::applyAsDouble).toList());
    }

    Samples rates(Trial trial) {
      return of(trial, Drained::eventsPerSecond);
    }
  }

  @Override
  public List<Line> run(Lab lab) throws Exception {
    Tuning unordered = Tuning.THROUGHPUT.ofKeys(lab.scale().keys());
    Trial without = new Trial(Entrants.OURS + ", unordered", unordered, 0);
    Trial with = new Trial(Entrants.OURS + ", ordered", unordered.inOrder(), 0);
    lab.took("ordered", Entrants.ours(with.tuning()));
    List<Line> lines = new ArrayList<>();
    lines.addAll(postgres(lab, without, with));
    lines.addAll(latency(lab));
    lines.add(singleKey(lab));
    lines.addAll(mariaDb(lab, without, with));
    return lines;
  }

  private static List<Line> postgres(Lab lab, Trial without, Trial with) throws Exception {
    int depth = lab.scale().blockedEvents();
    Trial behind = new Trial(with.name() + ", one aggregate blocked", with.tuning(), depth);
    Results results = drainInTurn(lab, lab.postgres(), List.of(without, with, behind));
    String blocked = "Drain behind %,d of a blocked aggregate".formatted(depth);
    String reading = "Mean time of the statement that reads";
    String misplaced = "Delivered out of order or twice";
    List<Line> lines = new ArrayList<>(compared(lab, "Drain", results, without, with));
    lines.set(1, lines.get(1).ratioAtLeast(BAR, "unordered"));
    lines.add(line(blocked, with, "events/s", results.rates(with)));
    lines.add(
        line(blocked, behind, "events/s", results.rates(behind))
            .comparedTo(results.rates(with))
            .ratioAtLeast(BLOCKED_BAR, "none blocked"));
    lines.add(line(reading, with, "ms", results.of(with, Drained::readMillis)));
    lines.add(line(reading, behind, "ms", results.of(behind, Drained::readMillis)));
    for (Trial ordered : List.of(with, behind)) {
      Samples counts = results.of(ordered, Drained::misplaced);
      boolean none = counts.rounds().stream().allMatch(count -> count == 0);
      lines.add(line(misplaced, ordered, "", counts).judged("0", none));
    }
    for (Trial ordered : List.of(with, behind)) {
      Samples idle = Samples.of(meanReadOfIdle(lab, ordered));
      lines.add(line(reading + " nothing, every second", ordered, "ms", idle));
    }
    return lines;
  }

  private static List<Line> latency(Lab lab) throws Exception {
    Entrant ordered = Entrants.ours(Tuning.THROUGHPUT.ofKeys(LATENCY_KEYS).inOrder());
    List<Percentiles> rounds =
        Rounds.interleaved(
                lab, "Ordered latency", List.of(ordered), entrant -> Latency.measure(lab, entrant))
            .of(ordered.name());
    String what = "Ordered latency at 500 events/s, ";
    String note = "%,d aggregates, in one process".formatted(LATENCY_KEYS);
    return List.of(
        ours(what + "p50", "ms", new Samples(rounds.stream().map(Percentiles::p50).toList()))
            .noted(note),
        ours(what + "p99", "ms", new Samples(rounds.stream().map(Percentiles::p99).toList()))
            .noted(note));
  }

  private static Line singleKey(Lab lab) throws Exception {
    int events = lab.scale().singleKeyEvents();
    Trial single = new Trial(Entrants.OURS, Tuning.THROUGHPUT.ofKeys(1).inOrder(), 0);
    List<Double> rates = new ArrayList<>();
    for (int round = 1; round <= lab.rounds(); round++) {
      Drained drained = drain(lab, lab.postgres(), single, events);
      lab.say("  One aggregate alone, round %d: %s", round, drained);
      rates.add(drained.eventsPerSecond());
    }
    String what = "Drain %,d events of one aggregate".formatted(events);
    return ours(what, "events/s", new Samples(rates));
  }

  private static List<Line> mariaDb(Lab lab, Trial without, Trial with) throws Exception {
    Results results = drainInTurn(lab, lab.mariaDb(), List.of(without, with));
    return compared(lab, "MariaDB, drain", results, without, with);
  }

  private static List<Line> compared(
      Lab lab, String verb, Results results, Trial without, Trial with) {
    String what =
        "%s %,d events of %,d aggregates"
            .formatted(verb, lab.scale().backlog(), lab.scale().keys());
    Samples reference = results.rates(without);
    return List.of(
        line(what, without, "events/s", reference).comparedTo(reference),
        line(what, with, "events/s", results.rates(with)).comparedTo(reference));
  }

  private static Line line(String what, Trial trial, String unit, Samples samples) {
    return Line.of(Chapter.P5.name(), what, trial.name(), unit, samples);
  }

  private static Line ours(String what, String unit, Samples samples) {
    return Line.of(Chapter.P5.name(), what, Entrants.OURS, unit, samples);
  }

  /** One of each per round, after one without order and one with it that don't count. */
  private static Results drainInTurn(Lab lab, Server server, List<Trial> trials) throws Exception {
    if (lab.scale().warmUpEvents() > 0) {
      for (Trial trial : trials.subList(0, 2)) {
        drain(lab, server, trial, lab.scale().warmUpEvents());
      }
    }
    Map<Trial, List<Drained>> results = new LinkedHashMap<>();
    for (int round = 1; round <= lab.rounds(); round++) {
      for (Trial trial : trials) {
        Drained drained = drain(lab, server, trial, lab.scale().backlog());
        lab.say("  %s, round %d, %s: %s", server.productName(), round, trial.name(), drained);
        results.computeIfAbsent(trial, key -> new ArrayList<>()).add(drained);
      }
    }
    return new Results(results);
  }

  private static Drained drain(Lab lab, Server server, Trial trial, int events) throws Exception {
    try (Stage stage = server.stage();
        OurOutbox outbox = new OurOutbox(stage.setup(Completion.KEEP), trial.tuning())) {
      outbox.createTables();
      if (trial.blocked() > 0) {
        outbox.fillBlocked(trial.blocked());
      }
      Backlog.fill(outbox, 0, events);
      stage.settle();
      double rate = Backlog.drain(outbox, events, lab.scale().patience());
      return new Drained(
          rate, server.isMariaDb() ? 0 : meanRead(server, stage), outbox.misplaced());
    }
  }

  /** With nothing to deliver: what waits for an operator is all there is. */
  private static double meanReadOfIdle(Lab lab, Trial trial) throws Exception {
    try (Stage stage = lab.postgres().stage();
        Statements statements = new Statements(lab.postgres(), stage);
        OurOutbox outbox = new OurOutbox(stage.setup(Completion.KEEP), trial.tuning())) {
      outbox.createTables();
      if (trial.blocked() > 0) {
        outbox.fillBlocked(trial.blocked());
      }
      stage.settle();
      outbox.start(id -> {});
      lab.pause(lab.scale().warmUp());
      statements.reset();
      lab.pause(lab.scale().write());
      double millis = statements.meanMillis(READING);
      lab.say("  idle, %s: reads of %.2f ms", trial.name(), millis);
      return millis;
    }
  }

  private static double meanRead(Server server, Stage stage) throws Exception {
    try (Statements statements = new Statements(server, stage)) {
      return statements.meanMillis(READING);
    }
  }
}
