package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P9: commits, row versions, WAL bytes and statements for one event. */
final class CostPerEvent implements Measurement {

  private static final double COLD_VERSIONS = 2;
  private static final double HOT_VERSIONS = 1;
  private static final double COMPLETION_COMMITS = 0.02;

  /** Per event, after the insert but for the WAL of the hot path, which has no such border. */
  private record Cost(
      double commits, double versions, double hot, double walBytes, double statements) {}

  @Override
  public List<Line> run(Lab lab) throws Exception {
    Entrant raw = Entrants.rawDrains(false).get(1);
    Entrant ours = Entrants.ours();
    List<Line> lines = new ArrayList<>();
    Cost rawCold = cold(lab, raw);
    Cost cold = cold(lab, ours);
    lines.add(line("Cold path, row versions", Entrants.RAW, "", rawCold.versions()));
    lines.add(
        line("Cold path, row versions", Entrants.OURS, "", cold.versions()).atMost(COLD_VERSIONS));
    lines.add(line("Cold path, commits", Entrants.RAW, "", rawCold.commits()));
    lines.add(
        line("Cold path, commits", Entrants.OURS, "", cold.commits()).atMost(COMPLETION_COMMITS));
    lines.add(line("Cold path, WAL", Entrants.RAW, "bytes", rawCold.walBytes()));
    lines.add(line("Cold path, WAL", Entrants.OURS, "bytes", cold.walBytes()));
    lines.add(line("Cold path, statements", Entrants.RAW, "", rawCold.statements()));
    lines.add(line("Cold path, statements", Entrants.OURS, "", cold.statements()));
    Cost hot = hot(lab, ours);
    lines.add(
        line("Hot path, row versions", Entrants.OURS, "", hot.versions()).atMost(HOT_VERSIONS));
    lines.add(
        line("Hot path, commits for completion", Entrants.OURS, "", hot.commits())
            .atMost(COMPLETION_COMMITS));
    lines.add(line("Hot path, WAL with the insert", Entrants.OURS, "bytes", hot.walBytes()));
    lines.add(line("Hot path, statements after the insert", Entrants.OURS, "", hot.statements()));
    return lines;
  }

  private static Line line(String what, String contender, String unit, double value) {
    return Line.of(Chapter.P9.name(), what, contender, unit, Samples.of(value));
  }

  private static Cost cold(Lab lab, Entrant entrant) throws Exception {
    int events = lab.scale().costEvents();
    try (Stage stage = lab.postgres().stage();
        Statements statements = new Statements(lab.postgres(), stage)) {
      try (Contender contender = entrant.open(stage.setup(Completion.KEEP))) {
        contender.createTables();
        Backlog.fill(contender, 0, events);
      }
      stage.closePools();
      stage.settle();
      DatabaseWork before = DatabaseWork.of(stage.newPool());
      statements.reset();
      try (Contender contender = entrant.open(stage.setup(Completion.KEEP))) {
        LongAdder delivered = new LongAdder();
        contender.start(id -> delivered.increment());
        awaitDelivered(lab, delivered, events);
      }
      stage.closePools();
      double calls = statements.calls();
      return cost(lab, DatabaseWork.of(stage.newPool()).since(before), calls, events);
    }
  }

  private static Cost hot(Lab lab, Entrant entrant) throws Exception {
    try (Stage stage = lab.postgres().stage();
        Statements statements = new Statements(lab.postgres(), stage)) {
      AtomicLong ids = new AtomicLong();
      DatabaseWork before;
      try (Contender contender = entrant.open(stage.setup(Completion.KEEP))) {
        contender.createTables();
        stage.settle();
        before = DatabaseWork.of(stage.newPool());
        statements.reset();
        LongAdder delivered = new LongAdder();
        contender.start(id -> delivered.increment());
        try (Load load = Load.flatOut(contender, ids)) {
          load.goOnFor(lab.scale().write());
        }
        awaitDelivered(lab, delivered, ids.get());
      }
      stage.closePools();
      double calls = statements.calls();
      DatabaseWork work = DatabaseWork.of(stage.newPool()).since(before);
      long events = ids.get();
      Cost all = cost(lab, work, calls, events);
      return new Cost(
          all.commits() - 1, all.versions(), all.hot(), all.walBytes(), all.statements() - 2);
    }
  }

  /** Closing completes what was delivered; counting it would be work for the database too. */
  private static void awaitDelivered(Lab lab, LongAdder delivered, long events) {
    Backlog.awaitDelivered(delivered, events, System.nanoTime() + lab.scale().patience().toNanos());
    if (delivered.sum() < events) {
      throw new IllegalStateException(
          "only %d of %d events were delivered within %s"
              .formatted(delivered.sum(), events, lab.scale().patience()));
    }
  }

  private static Cost cost(Lab lab, DatabaseWork work, double statements, long events) {
    Cost cost =
        new Cost(
            work.commits() / events,
            work.versions() / events,
            work.hot() / events,
            work.walBytes() / events,
            statements / events);
    lab.say("  per event: %s", cost);
    return cost;
  }
}
