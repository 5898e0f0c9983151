package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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

  @Override
  public List<Line> run(Lab lab) throws Exception {
    for (int nodes : NUMBERS) {
      drain(lab, nodes, lab.scale().backlog()); // smaller ones leave much to be compiled
    }
    Map<Integer, List<Result>> results = new TreeMap<>();
    for (int round = 1; round <= lab.rounds() * TURNS; round++) {
      for (int nodes : inTurn(round)) {
        Result result = drain(lab, nodes, lab.scale().backlog());
        lab.say("  %d nodes, round %d: %s", nodes, round, result);
        results.computeIfAbsent(nodes, key -> new ArrayList<>()).add(result);
      }
    }
    Samples one = rates(results, 1);
    List<Line> lines = new ArrayList<>();
    results.keySet().forEach(nodes -> lines.add(line(nodes, rates(results, nodes), one)));
    results.keySet().forEach(nodes -> lines.add(duplicates(nodes, results)));
    lines.addAll(SeveralProcesses.run(lab, lab.postgres()));
    lines.addAll(SeveralProcesses.run(lab, lab.mariaDb()));
    return lines;
  }

  /** Each round begins with another number, so that none is always first after a pause. */
  static List<Integer> inTurn(int round) {
    List<Integer> turn = new ArrayList<>(NUMBERS);
    Collections.rotate(turn, 1 - round);
    return turn;
  }

  static Line line(int nodes, Samples rates, Samples one) {
    String name = Entrants.OURS + (nodes == 1 ? ", 1 node" : ", " + nodes + " nodes");
    Line line = Line.of(Chapter.P4.name(), WHAT, name, "events/s", rates).comparedTo(one);
    Double bar = BARS.get(nodes);
    return bar == null
        ? line
        : line.ratioAtLeast(bar, "one node")
            .noted("the ratio is the median of the rounds' " + rounded(rates.ratiosTo(one)));
  }

  private static List<String> rounded(List<Double> ratios) {
    return ratios.stream().map(ratio -> String.format(Locale.ROOT, "%.2f", ratio)).toList();
  }

  private static Line duplicates(int nodes, Map<Integer, List<Result>> results) {
    List<Double> counts =
        results.getOrDefault(nodes, List.of()).stream()
            .map(result -> (double) result.duplicates())
            .toList();
    String what = "Duplicates of %d node%s".formatted(nodes, nodes == 1 ? "" : "s");
    boolean none = counts.stream().allMatch(count -> count == 0);
    return Line.of(Chapter.P4.name(), what, Entrants.OURS, "", new Samples(counts))
        .judged("0", none);
  }

  private static Samples rates(Map<Integer, List<Result>> results, int nodes) {
    return new Samples(
        results.getOrDefault(nodes, List.of()).stream().map(Result::eventsPerSecond).toList());
  }

  private static Result drain(Lab lab, int count, int events) throws Exception {
    Entrant ours = Entrants.ours();
    List<Contender> nodes = new ArrayList<>();
    try (Stage stage = lab.postgres().stage()) {
      try {
        for (int i = 1; i <= count; i++) {
          nodes.add(ours.open(stage.setup(Completion.KEEP, "node-" + i)));
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
