package outbox.benchmarks.measurement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;

/** P1: transactions with one business row and one event, with nobody delivering. */
final class Write implements Measurement {

  private static final double BAR = 0.93;

  /**
   * Into how many a round is cut. What a machine and its disk do in ten seconds differs by more
   * than what is to be measured here; many short rounds side by side differ less.
   */
  private static final int TURNS = 5;

  /** Until every producer has its connection. */
  private static final Duration RUN_UP = Duration.ofMillis(500);

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(Entrants.rawWriter(false));
    entrants.add(Entrants.rawWriterWithoutPool(false));
    entrants.add(Entrants.handWritten());
    entrants.add(Entrants.ours());
    entrants.addAll(lab.peers());
    return lines(lab, lab.postgres(), entrants, Chapter.P1, "Write, 8 threads");
  }

  static List<Line> lines(
      Lab lab, Server server, List<Entrant> entrants, Chapter chapter, String what)
      throws Exception {
    entrants.forEach(entrant -> lab.took(entrant.name().equals(Entrants.RAW) ? what : "", entrant));
    Rounds<Double> rounds =
        Rounds.warmedUp(
            lab,
            lab.rounds() * TURNS,
            what,
            entrants,
            entrant -> eventsPerSecond(server, entrant, lab.scale().warmUp()),
            entrant -> eventsPerSecond(server, entrant, lab.scale().write().dividedBy(TURNS)));
    return new Comparison(chapter, what, BAR, "raw").lines(entrants, rounds);
  }

  private static double eventsPerSecond(Server server, Entrant entrant, Duration load)
      throws Exception {
    try (Stage stage = server.stage();
        Contender contender = entrant.open(stage.setup(entrant.usualCompletion()))) {
      contender.createTables();
      try (Load producers = Load.flatOut(contender, new AtomicLong())) {
        producers.goOnFor(RUN_UP);
        long before = producers.written();
        long start = System.nanoTime();
        producers.goOnFor(load);
        return (producers.written() - before) * 1e9 / (System.nanoTime() - start);
      }
    }
  }
}
