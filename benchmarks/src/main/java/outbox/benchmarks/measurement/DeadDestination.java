package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.contender.RoutedOutbox;
import outbox.benchmarks.measurement.Nearby.Health;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;
import outbox.destination.DestinationRoutes;
import outbox.destination.EventMatch;
import outbox.destination.GuardedDestination;

/** K2: what two destinations get while a third one is dead, from the start to the end. */
final class DeadDestination implements Measurement {

  private static final double BAR = 0.9;
  private static final long GLANCE_NANOS = 2_000_000;
  private static final String THIRD = RoutedOutbox.TYPES.get(0);
  private static final List<String> TWO = RoutedOutbox.TYPES.subList(1, 3);
  private static final String ALIVE = Entrants.OURS + ", the third alive";
  private static final String ABSENT = Entrants.OURS + ", without a third";

  /**
   * A way to run.
   *
   * @param types of which there are events
   */
  private record Trial(String name, Health third, List<String> types) {}

  /** What the two got, and how many events of any failed or were given up. */
  private record Result(double eventsPerSecond, long failed) {}

  private static final List<Trial> TRIALS =
      List.of(
          new Trial(ALIVE, Health.ALIVE, RoutedOutbox.TYPES),
          new Trial(Entrants.OURS + ", the third refuses", Health.REFUSES, RoutedOutbox.TYPES),
          new Trial(Entrants.OURS + ", the third hangs", Health.HANGS, RoutedOutbox.TYPES),
          new Trial(ABSENT, Health.ALIVE, TWO));

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Line> lines = new ArrayList<>();
    lines.addAll(lines("Two of three destinations", measured(lab, false)));
    lines.addAll(lines("Two of three destinations, in order", measured(lab, true)));
    return lines;
  }

  private static Map<String, List<Result>> measured(Lab lab, boolean ordered) throws Exception {
    Map<String, List<Result>> results = new LinkedHashMap<>();
    for (Trial trial : TRIALS) {
      if (lab.scale().warmUpEvents() > 0) {
        run(lab, trial, ordered, lab.scale().warmUpEvents());
      }
    }
    List<Trial> turns = new ArrayList<>(TRIALS);
    for (int round = 1; round <= lab.rounds(); round++) {
      for (Trial trial : turns) {
        Result result = run(lab, trial, ordered, lab.scale().backlog());
        lab.say("  Dead destination, round %d, %s: %s", round, trial.name(), result);
        results.computeIfAbsent(trial.name(), name -> new ArrayList<>()).add(result);
      }
      Collections.rotate(turns, 1);
    }
    return results;
  }

  private static List<Line> lines(String what, Map<String, List<Result>> results) {
    Samples alive = rates(results.getOrDefault(ALIVE, List.of()));
    List<Line> lines = new ArrayList<>();
    for (Trial trial : TRIALS) {
      Samples rates = rates(results.getOrDefault(trial.name(), List.of()));
      Line line =
          Line.of(Chapter.K2.name(), what, trial.name(), "events/s", rates).comparedTo(alive);
      boolean isJudged = trial.third() != Health.ALIVE;
      lines.add(isJudged ? line.ratioAtLeast(BAR, "all three alive") : line);
    }
    for (Trial trial : TRIALS) {
      List<Result> rounds = results.getOrDefault(trial.name(), List.of());
      Samples failed = new Samples(rounds.stream().map(round -> (double) round.failed()).toList());
      boolean none = rounds.stream().allMatch(round -> round.failed() == 0);
      lines.add(
          Line.of(Chapter.K2.name(), what + ": failed events", trial.name(), "", failed)
              .judged("0", none));
    }
    return lines;
  }

  private static Samples rates(List<Result> rounds) {
    return new Samples(rounds.stream().map(Result::eventsPerSecond).toList());
  }

  private static Result run(Lab lab, Trial trial, boolean ordered, int events) throws Exception {
    LongAdder taken = new LongAdder();
    try (Stage stage = lab.postgres().stage();
        DestinationRoutes routes = routes(trial.third(), taken);
        RoutedOutbox outbox =
            new RoutedOutbox(stage.setup(Completion.KEEP), ordered, lab.scale().keys())) {
      outbox.createTables();
      Backlog.fill((from, to) -> outbox.fill(from, to, trial.types()), 0, events);
      stage.settle();
      long started = System.nanoTime();
      outbox.start(routes);
      double rate = awaitTheTwo(lab, outbox, taken, RoutedOutbox.count(events, TWO), started);
      return new Result(rate, outbox.failed());
    }
  }

  /** By what was completed of theirs until all of it was, or that took too long. */
  private static double awaitTheTwo(
      Lab lab, RoutedOutbox outbox, LongAdder taken, long events, long started) throws Exception {
    long deadline = started + lab.scale().patience().toNanos();
    Backlog.awaitDelivered(taken, events, deadline);
    long asked = System.nanoTime();
    long pending = outbox.pending(TWO);
    while (pending > 0 && asked - deadline < 0) {
      LockSupport.parkNanos(GLANCE_NANOS);
      asked = System.nanoTime();
      pending = outbox.pending(TWO);
    }
    return (events - pending) * 1e9 / (asked - started);
  }

  /** With guards as they are by default. */
  private static DestinationRoutes routes(Health third, LongAdder taken) {
    DestinationRoutes.Builder routes = DestinationRoutes.builder();
    for (String type : RoutedOutbox.TYPES) {
      boolean isThird = type.equals(THIRD);
      Nearby destination =
          new Nearby(type, isThird ? third : Health.ALIVE, isThird ? new LongAdder() : taken);
      routes.route(EventMatch.ofType(type), new GuardedDestination(destination));
    }
    return routes.build();
  }
}
