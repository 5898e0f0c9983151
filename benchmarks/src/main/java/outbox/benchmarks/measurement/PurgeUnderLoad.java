package outbox.benchmarks.measurement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P10: what a steady load loses while finished events are deleted. */
final class PurgeUnderLoad implements Measurement {

  private static final double BAR = 0.9;
  private static final double STEADY = 0.5;
  private static final Duration AGE = Duration.ofDays(30);
  private static final Duration RETENTION = Duration.ofDays(7);

  /** Deliveries per second without and with the purge, and rows purged per second. */
  private record Result(double without, double with, double purged) {}

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Result> results = new ArrayList<>();
    for (int round = 1; round <= lab.rounds(); round++) {
      Result result = measure(lab);
      lab.say("  purge, round %d: %s", round, result);
      results.add(result);
    }
    Samples without = new Samples(results.stream().map(Result::without).toList());
    Samples with = new Samples(results.stream().map(Result::with).toList());
    Samples purged = new Samples(results.stream().map(Result::purged).toList());
    String what = "Steady load";
    return List.of(
        Line.of(Chapter.P10.name(), what, "outbox, no purge", "events/s", without),
        Line.of(Chapter.P10.name(), what, "outbox, purging", "events/s", with)
            .comparedTo(without)
            .ratioAtLeast(BAR, "the load without"),
        Line.of(
            Chapter.P10.name(),
            "Purge of %,d rows under that load".formatted(lab.scale().doneRows()),
            Entrants.OURS,
            "rows/s",
            purged));
  }

  private static Result measure(Lab lab) throws Exception {
    LongAdder delivered = new LongAdder();
    AtomicLong ids = new AtomicLong();
    try (Stage stage = lab.postgres().stage();
        OurOutbox outbox =
            new OurOutbox(stage.setup(Completion.KEEP), OurOutbox.Tuning.THROUGHPUT)) {
      outbox.createTables();
      outbox.fillDone(lab.scale().doneRows(), AGE);
      stage.settle();
      outbox.start(id -> delivered.increment());
      double pace = STEADY * capacity(lab, outbox, ids);
      Backlog.awaitCompleted(outbox, delivered, ids.get(), lab.scale().patience());
      try (Load load = Load.paced(outbox, ids, pace, id -> {})) {
        load.goOnFor(lab.scale().warmUp());
        double without = rate(delivered, () -> load.goOnFor(lab.scale().write()));
        long start = System.nanoTime();
        double with = rate(delivered, () -> outbox.purge(RETENTION));
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Result(without, with, (lab.scale().doneRows() - outbox.done()) / seconds);
      }
    }
  }

  private static double capacity(Lab lab, OurOutbox outbox, AtomicLong ids) throws Exception {
    try (Load load = Load.flatOut(outbox, ids)) {
      load.goOnFor(lab.scale().warmUp());
      long before = load.written();
      long start = System.nanoTime();
      load.goOnFor(lab.scale().warmUp());
      return (load.written() - before) * 1e9 / (System.nanoTime() - start);
    }
  }

  @FunctionalInterface
  private interface Meanwhile {
    void run() throws Exception;
  }

  private static double rate(LongAdder delivered, Meanwhile meanwhile) throws Exception {
    long before = delivered.sum();
    long start = System.nanoTime();
    meanwhile.run();
    return (delivered.sum() - before) * 1e9 / (System.nanoTime() - start);
  }
}
