package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P4: nodes that drain one backlog together, and what they delivered twice. */
final class SeveralNodes implements Measurement {

  private static final List<Integer> NUMBERS = List.of(1, 2, 4);
  private static final Map<Integer, Double> BARS = Map.of(2, 1.0, 4, 0.9);
  private static final String WHAT = "Nodes draining together";

  /** Two drains of the same nodes differ by more than what is to be measured. */
  private static final int TURNS = 3;

  private record Result(double eventsPerSecond, long duplicates) {}

  /** So many nodes of one contender. */
  private record Team(Entrant entrant, int nodes) {}

  /** Hand-written statements in the same place show what the server makes of several nodes. */
  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Entrant> entrants = List.of(Entrants.ours(), Entrants.rawDrains(false).get(0));
    lab.took(WHAT, entrants.get(1));
    for (int nodes : NUMBERS) {
      for (Entrant entrant : entrants) {
        // Smaller backlogs leave much to be compiled.
        drain(lab, new Team(entrant, nodes), lab.scale().backlog());
      }
    }
    Map<Team, List<Result>> results = new HashMap<>();
    for (int round = 1; round <= lab.rounds() * TURNS; round++) {
      for (int nodes : inTurn(round)) {
        for (Entrant entrant : entrants) {
          Team team = new Team(entrant, nodes);
          Result result = drain(lab, team, lab.scale().backlog());
          lab.say("  %d nodes of %s, round %d: %s", nodes, entrant.name(), round, result);
          results.computeIfAbsent(team, key -> new ArrayList<>()).add(result);
        }
      }
    }
    List<Line> lines = new ArrayList<>();
    entrants.forEach(entrant -> lines.addAll(lines(entrant, results)));
    lines.addAll(SeveralProcesses.run(lab, lab.postgres()));
    lines.addAll(SeveralProcesses.run(lab, lab.mariaDb()));
    return lines;
  }

  private static List<Line> lines(Entrant entrant, Map<Team, List<Result>> results) {
    Samples one = rates(results, new Team(entrant, 1));
    List<Line> lines = new ArrayList<>();
    for (int nodes : NUMBERS) {
      lines.add(line(entrant.name(), nodes, rates(results, new Team(entrant, nodes)), one));
    }
    if (isOurs(entrant.name())) {
      NUMBERS.forEach(nodes -> lines.add(duplicates(results, new Team(entrant, nodes))));
    }
    return lines;
  }

  private static boolean isOurs(String entrant) {
    return entrant.equals(Entrants.OURS);
  }

  /** Each round begins with another number, so that none is always first after a pause. */
  static List<Integer> inTurn(int round) {
    List<Integer> turn = new ArrayList<>(NUMBERS);
    Collections.rotate(turn, 1 - round);
    return turn;
  }

  static Line line(String entrant, int nodes, Samples rates, Samples one) {
    String name = entrant + (nodes == 1 ? ", 1 node" : ", " + nodes + " nodes");
    Line line = Line.of(Chapter.P4.name(), WHAT, name, "events/s", rates).comparedTo(one);
    Double bar = isOurs(entrant) ? BARS.get(nodes) : null;
    return bar == null
        ? line
        : line.ratioAtLeast(bar, "one node")
            .noted("the ratio is the median of the rounds' " + rounded(rates.ratiosTo(one)));
  }

  private static List<String> rounded(List<Double> ratios) {
    return ratios.stream().map(ratio -> String.format(Locale.ROOT, "%.2f", ratio)).toList();
  }

  private static Line duplicates(Map<Team, List<Result>> results, Team team) {
    List<Double> counts =
        results.getOrDefault(team, List.of()).stream()
            .map(result -> (double) result.duplicates())
            .toList();
    String what = "Duplicates of %d node%s".formatted(team.nodes(), team.nodes() == 1 ? "" : "s");
    boolean none = counts.stream().allMatch(count -> count == 0);
    return Line.of(Chapter.P4.name(), what, Entrants.OURS, "", new Samples(counts))
        .judged("0", none);
  }

  private static Samples rates(Map<Team, List<Result>> results, Team team) {
    return new Samples(
        results.getOrDefault(team, List.of()).stream().map(Result::eventsPerSecond).toList());
  }

  private static Result drain(Lab lab, Team team, int events) throws Exception {
    List<Contender> nodes = new ArrayList<>();
    try (Stage stage = lab.postgres().stage()) {
      try {
        for (int i = 1; i <= team.nodes(); i++) {
          nodes.add(team.entrant().open(stage.setup(Completion.KEEP, "node-" + i)));
        }
        Contender first = nodes.get(0);
        first.createTables();
        Backlog.fill(first, 0, events);
        stage.settle();
        return drain(lab, nodes, events);
      } finally {
        nodes.forEach(Contender::close);
      }
    }
  }

  private static Result drain(Lab lab, List<Contender> nodes, int events) throws Exception {
    AtomicIntegerArray deliveries = new AtomicIntegerArray(events);
    LongAdder delivered = new LongAdder();
    long start = System.nanoTime();
    for (Contender node : nodes) {
      node.start(
          id -> {
            deliveries.incrementAndGet((int) id);
            delivered.increment();
          });
    }
    double rate =
        Backlog.awaitCompleted(nodes.get(0), delivered, events, lab.scale().patience())
            .completedPerSecond(events, start);
    long duplicates = 0;
    for (int id = 0; id < events; id++) {
      duplicates += Math.max(0, deliveries.get(id) - 1);
    }
    return new Result(rate, duplicates);
  }
}
