package outbox.benchmarks.measurement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;

/** P3: producers and delivery in one process, until the last event is completed. */
final class EndToEnd implements Measurement {

  private static final double BAR = 0.85;
  private static final String WHAT = "End to end, 8 producers";

  @Override
  public List<Line> run(Lab lab) throws Exception {
    Entrant raw = Entrants.rawWriter(false);
    List<Entrant> entrants = new ArrayList<>(List.of(raw, Entrants.ours()));
    entrants.addAll(lab.peers());
    entrants.subList(1, entrants.size()).forEach(entrant -> lab.took("", entrant));
    Rounds<Double> rounds =
        Rounds.warmedUp(
            lab,
            WHAT,
            entrants,
            entrant -> eventsPerSecond(lab, entrant, lab.scale().warmUp()),
            entrant -> eventsPerSecond(lab, entrant, lab.scale().endToEnd()));
    return new Comparison(Chapter.P3, WHAT, BAR, "raw writing").lines(entrants, rounds);
  }

  private static double eventsPerSecond(Lab lab, Entrant entrant, Duration load) throws Exception {
    boolean delivers = !entrant.name().equals(Entrants.RAW);
    try (Stage stage = lab.postgres().stage();
        Contender contender = entrant.open(stage.setup(entrant.usualCompletion()))) {
      contender.createTables();
      LongAdder delivered = new LongAdder();
      if (delivers) {
        contender.start(id -> delivered.increment());
      }
      AtomicLong ids = new AtomicLong();
      long start = System.nanoTime();
      try (Load producers = Load.flatOut(contender, ids)) {
        producers.goOnFor(load);
      }
      long written = ids.get();
      Backlog.Rest rest =
          delivers
              ? Backlog.awaitCompleted(contender, delivered, written, lab.scale().patience())
              : new Backlog.Rest(0, System.nanoTime());
      return rest.completedPerSecond(written, start);
    }
  }
}
