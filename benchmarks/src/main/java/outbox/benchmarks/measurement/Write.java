package outbox.benchmarks.measurement;

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

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(Entrants.rawWriter(false));
    entrants.add(Entrants.ours());
    entrants.addAll(lab.peers());
    return lines(lab, lab.postgres(), entrants, Chapter.P1, "Write, 8 threads");
  }

  static List<Line> lines(
      Lab lab, Server server, List<Entrant> entrants, Chapter chapter, String what)
      throws Exception {
    entrants.forEach(entrant -> lab.took(entrant.name().equals(Entrants.RAW) ? what : "", entrant));
    Rounds<Double> rounds =
        Rounds.interleaved(lab, what, entrants, entrant -> eventsPerSecond(lab, server, entrant));
    return new Comparison(chapter, what, BAR, "raw").lines(entrants, rounds);
  }

  private static double eventsPerSecond(Lab lab, Server server, Entrant entrant) throws Exception {
    try (Stage stage = server.stage();
        Contender contender = entrant.open(stage.setup(entrant.usualCompletion()))) {
      contender.createTables();
      try (Load load = Load.flatOut(contender, new AtomicLong())) {
        load.goOnFor(lab.scale().warmUp());
        long before = load.written();
        long start = System.nanoTime();
        load.goOnFor(lab.scale().write());
        return (load.written() - before) * 1e9 / (System.nanoTime() - start);
      }
    }
  }
}
