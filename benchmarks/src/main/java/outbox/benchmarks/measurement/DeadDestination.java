package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
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

  /** Four rows are written and three events delivered for each that goes everywhere. */
  private static final int FEWER_EVERYWHERE = 4;

  /**
   * A way to run.
   *
   * @param types of which there are events; each goes to the destination of that name, or to all
   */
  private record Trial(String name, Health third, List<String> types) {

    boolean isEverywhere() {
      return types.contains(RoutedOutbox.EVERYWHERE);
    }
  }

  /** What the two got, and how many events of any failed or were given up. */
  private record Result(double eventsPerSecond, long failed) {}

  private static final List<Trial> APART =
      Stream.concat(
              trials(RoutedOutbox.TYPES).stream(), Stream.of(new Trial(ABSENT, Health.ALIVE, TWO)))
          .toList();
  private static final List<Trial> EVERYWHERE = trials(List.of(RoutedOutbox.EVERYWHERE));

  private static List<Trial> trials(List<String> types) {
    return List.of(
        new Trial(ALIVE, Health.ALIVE, types),
        new Trial(Entrants.OURS + ", the third refuses", Health.REFUSES, types),
        new Trial(Entrants.OURS + ", the third hangs", Health.HANGS, types));
  }

  @Override
  public List<Line> run(Lab lab) throws Exception {
    String apart = "Two of three destinations";
    String everywhere = apart + ", each event to all";
    List<Line> lines = new ArrayList<>();
    lines.addAll(measured(lab, apart, APART, false));
    lines.addAll(measured(lab, apart + ", in order", APART, true));
    lines.addAll(measured(lab, everywhere, EVERYWHERE, false));
    lines.addAll(measured(lab, everywhere + ", in order", EVERYWHERE, true));
    return lines;
  }

  private static List<Line> measured(Lab lab, String what, List<Trial> trials, boolean ordered)
      throws Exception {
    for (Trial trial : trials) {
      if (lab.scale().warmUpEvents() > 0) {
        run(lab, trial, ordered, lab.scale().warmUpEvents());
      }
    }
    Map<Trial, List<Result>> results = new LinkedHashMap<>();
    trials.forEach(trial -> results.put(trial, new ArrayList<>()));
    List<Trial> turns = new ArrayList<>(trials);
    for (int round = 1; round <= lab.rounds(); round++) {
      for (Trial trial : turns) {
        Result result = run(lab, trial, ordered, lab.scale().backlog());
        lab.say("  %s, round %d, %s: %s", what, round, trial.name(), result);
        results.computeIfAbsent(trial, same -> new ArrayList<>()).add(result);
      }
      Collections.rotate(turns, 1);
    }
    return lines(what, results);
  }

  /** The first of them is what the others are compared with. */
  private static List<Line> lines(String what, Map<Trial, List<Result>> results) {
    Samples alive = rates(results.values().iterator().next());
    List<Line> lines = new ArrayList<>();
    results.forEach(
        (trial, rounds) -> {
          Line line =
              Line.of(Chapter.K2.name(), what, trial.name(), "events/s", rates(rounds))
                  .comparedTo(alive);
          boolean isJudged = trial.third() != Health.ALIVE;
          lines.add(isJudged ? line.ratioAtLeast(BAR, "all three alive") : line);
        });
    results.forEach(
        (trial, rounds) -> {
          Samples failed =
              new Samples(rounds.stream().map(round -> (double) round.failed()).toList());
          boolean none = rounds.stream().allMatch(round -> round.failed() == 0);
          lines.add(
              Line.of(Chapter.K2.name(), what + ": failed events", trial.name(), "", failed)
                  .judged("0", none));
        });
    return lines;
  }

  private static Samples rates(List<Result> rounds) {
    return new Samples(rounds.stream().map(Result::eventsPerSecond).toList());
  }

  private static Result run(Lab lab, Trial trial, boolean ordered, int backlog) throws Exception {
    int events = trial.isEverywhere() ? Math.max(1, backlog / FEWER_EVERYWHERE) : backlog;
    long theirs =
        trial.isEverywhere() ? (long) TWO.size() * events : RoutedOutbox.count(events, TWO);
    LongAdder taken = new LongAdder();
    try (Stage stage = lab.postgres().stage();
        DestinationRoutes routes = routes(trial, taken);
        RoutedOutbox outbox =
            new RoutedOutbox(stage.setup(Completion.KEEP), ordered, lab.scale().keys())) {
      outbox.createTables();
      Backlog.fill(
          trial.isEverywhere()
              ? outbox::fillEverywhere
              : (from, to) -> outbox.fill(from, to, trial.types()),
          0,
          events);
      stage.settle();
      long started = System.nanoTime();
      outbox.start(routes);
      double rate = awaitTheTwo(lab, outbox, taken, theirs, started);
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
  private static DestinationRoutes routes(Trial trial, LongAdder taken) {
    DestinationRoutes.Builder routes = DestinationRoutes.builder();
    List<GuardedDestination> all = new ArrayList<>();
    for (String type : RoutedOutbox.TYPES) {
      boolean isThird = type.equals(THIRD);
      Nearby destination =
          new Nearby(
              type, isThird ? trial.third() : Health.ALIVE, isThird ? new LongAdder() : taken);
      all.add(new GuardedDestination(destination));
      if (!trial.isEverywhere()) {
        routes.route(EventMatch.ofType(type), all.get(all.size() - 1));
      }
    }
    if (trial.isEverywhere()) {
      routes.route(
          EventMatch.ofType(RoutedOutbox.EVERYWHERE), all.toArray(GuardedDestination[]::new));
    }
    return routes.build();
  }
}
