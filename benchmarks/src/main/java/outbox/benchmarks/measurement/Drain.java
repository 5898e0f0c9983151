package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.List;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;

/** P2: a backlog, one node, both completions. */
final class Drain implements Measurement {

  private static final double BAR = 0.6;

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Entrant> libraries = new ArrayList<>();
    libraries.add(Entrants.ours());
    libraries.addAll(lab.peers());
    return lines(lab, lab.postgres(), libraries, Chapter.P2, "Drain");
  }

  static List<Line> lines(
      Lab lab, Server server, List<Entrant> libraries, Chapter chapter, String what)
      throws Exception {
    List<Line> lines = new ArrayList<>();
    for (Completion completion : Completion.values()) {
      String title =
          "%s %,d events, rows %s".formatted(what, lab.scale().backlog(), completion.title());
      Entrant raw = fastest(lab, server, completion);
      lab.took(what + ", rows " + completion.title(), raw);
      List<Entrant> entrants = new ArrayList<>(List.of(raw));
      libraries.stream().filter(entrant -> entrant.completesBy(completion)).forEach(entrants::add);
      entrants.subList(1, entrants.size()).forEach(entrant -> lab.took("", entrant));
      lines.addAll(
          compared(lab, server, entrants, completion, new Comparison(chapter, title, BAR, "raw")));
      libraries.stream()
          .filter(entrant -> !entrant.completesBy(completion))
          .map(entrant -> absent(chapter, title, entrant))
          .forEach(lines::add);
    }
    return lines;
  }

  static double eventsPerSecond(
      Lab lab, Server server, Entrant entrant, Completion completion, int events) throws Exception {
    try (Stage stage = server.stage();
        Contender contender = entrant.open(stage.setup(completion))) {
      contender.createTables();
      Backlog.fill(contender, 0, events);
      stage.settle();
      return Backlog.drain(contender, events, lab.scale().patience());
    }
  }

  private static List<Line> compared(
      Lab lab, Server server, List<Entrant> entrants, Completion completion, Comparison comparison)
      throws Exception {
    Rounds<Double> rounds =
        Rounds.warmedUp(
            lab,
            comparison.what(),
            entrants,
            entrant -> warmUp(lab, server, entrant, completion),
            entrant -> eventsPerSecond(lab, server, entrant, completion, lab.scale().backlog()));
    return comparison.lines(entrants, rounds);
  }

  /** Of raw JDBC's variants the fastest counts: the limit is what can be reached. */
  private static Entrant fastest(Lab lab, Server server, Completion completion) throws Exception {
    List<Entrant> variants = Entrants.rawDrains(server.isMariaDb());
    warmUp(lab, server, variants.get(0), completion);
    Entrant best = variants.get(0);
    double bestRate = 0;
    for (Entrant variant : variants) {
      double rate = eventsPerSecond(lab, server, variant, completion, lab.scale().backlog() / 2);
      lab.say("  raw variant, %s: %s", variant.settings(), rate);
      if (rate > bestRate) {
        bestRate = rate;
        best = variant;
      }
    }
    return best;
  }

  private static double warmUp(Lab lab, Server server, Entrant entrant, Completion completion)
      throws Exception {
    int events = lab.scale().warmUpEvents();
    return events == 0 ? 0 : eventsPerSecond(lab, server, entrant, completion, events);
  }

  private static Line absent(Chapter chapter, String title, Entrant entrant) {
    return Line.notMeasured(
        chapter.name(), title, entrant.name(), "it doesn't complete events this way");
  }
}
