package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.contender.OurOutbox.Tuning;
import outbox.benchmarks.measurement.KilledBroker.Recovery;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;
import outbox.destination.Destination;
import outbox.destination.GuardedDestination;
import outbox.kafka.KafkaDestination;

/** K1: a backlog to Kafka, with and without order. */
final class ToKafka implements Measurement {

  private static final double BAR = 10_000;
  private static final double LONGEST_RECOVERY = 10;
  private static final String BARE = "bare producer";
  private static final String NOWHERE = "outbox, to nowhere";
  private static final String ORDERED_NOWHERE = "outbox, in order, to nowhere";
  private static final String ORDERED = "outbox, in order";

  /** What a trial reached, and what a consumer found wrong afterwards. */
  private record Sent(double eventsPerSecond, Sink.Audit audit) {}

  @FunctionalInterface
  private interface Trial {
    Sent run(Lab lab, int events) throws Exception;
  }

  @Override
  public List<Line> run(Lab lab) throws Exception {
    Map<String, Trial> trials = new LinkedHashMap<>();
    trials.put(BARE, ToKafka::bare);
    trials.put(NOWHERE, (l, events) -> nowhere(l, tuning(l), events));
    trials.put(Entrants.OURS, (l, events) -> toKafka(l, tuning(l), events));
    trials.put(ORDERED_NOWHERE, (l, events) -> nowhere(l, tuning(l).inOrder(), events));
    trials.put(ORDERED, (l, events) -> toKafka(l, tuning(l).inOrder(), events));
    List<Line> lines = lines(lab, inTurn(lab, trials));
    lines.addAll(killed(lab));
    return lines;
  }

  private static List<Line> killed(Lab lab) throws Exception {
    List<Recovery> rounds = new ArrayList<>();
    for (int round = 1; round <= lab.rounds(); round++) {
      Recovery recovery =
          new KilledBroker(lab, lab.scale().backlog()).measure(tuning(lab).inOrder());
      lab.say("  Broker killed, round %d: %s", round, recovery);
      rounds.add(recovery);
    }
    String what = "Broker killed and restarted: ";
    Samples half = samples(rounds, Recovery::secondsUntilHalf);
    Samples back = samples(rounds, Recovery::secondsUntilBack);
    return List.of(
        line(what + "outages noticed", ORDERED, "", samples(rounds, Recovery::outages)),
        line(what + "back to half the rate after", ORDERED, "s", half),
        line(what + "back to 0.9 of the rate after", ORDERED, "s", back).atMost(LONGEST_RECOVERY),
        none(what + "lost", ORDERED, samples(rounds, Recovery::lost)),
        none(what + "dead", ORDERED, samples(rounds, Recovery::dead)),
        none(what + "events with an attempt lost", ORDERED, samples(rounds, Recovery::attempts)));
  }

  private static Map<String, List<Sent>> inTurn(Lab lab, Map<String, Trial> trials)
      throws Exception {
    Map<String, List<Sent>> results = new LinkedHashMap<>();
    for (Trial trial : trials.values()) {
      if (lab.scale().warmUpEvents() > 0) {
        trial.run(lab, lab.scale().warmUpEvents());
      }
    }
    for (int round = 1; round <= lab.rounds(); round++) {
      for (Map.Entry<String, Trial> trial : trials.entrySet()) {
        Sent sent = trial.getValue().run(lab, lab.scale().backlog());
        lab.say("  To Kafka, round %d, %s: %s", round, trial.getKey(), sent);
        results.computeIfAbsent(trial.getKey(), key -> new ArrayList<>()).add(sent);
      }
    }
    return results;
  }

  private static List<Line> lines(Lab lab, Map<String, List<Sent>> results) {
    String what = "Send %,d events to Kafka".formatted(lab.scale().backlog());
    Samples bare = rates(results, BARE);
    List<Line> lines = new ArrayList<>();
    results.forEach(
        (contender, sent) -> {
          Line line = line(what, contender, "events/s", rates(results, contender)).comparedTo(bare);
          boolean isJudged = contender.equals(Entrants.OURS) || contender.equals(ORDERED);
          lines.add(isJudged ? line.judged("≥ 10,000 events/s", line.median() >= BAR) : line);
        });
    lines.add(ofNoOp(results, Entrants.OURS, NOWHERE));
    lines.add(ofNoOp(results, ORDERED, ORDERED_NOWHERE));
    for (String contender : List.of(Entrants.OURS, ORDERED)) {
      List<Sent> sent = results.getOrDefault(contender, List.of());
      lines.add(none("Lost", contender, samples(sent, one -> one.audit().lost())));
      lines.add(none("Sent twice", contender, samples(sent, one -> one.audit().twice())));
    }
    List<Sent> ordered = results.getOrDefault(ORDERED, List.of());
    lines.add(none("Out of order", ORDERED, samples(ordered, one -> one.audit().misplaced())));
    return lines;
  }

  private static Line ofNoOp(Map<String, List<Sent>> results, String contender, String noOp) {
    String what = "Of the same relay that sends nothing";
    return line(what, contender, "events/s", rates(results, contender))
        .comparedTo(rates(results, noOp));
  }

  private static Line none(String what, String contender, Samples counts) {
    boolean none = counts.rounds().stream().allMatch(found -> found == 0);
    return line(what, contender, "", counts).judged("0", none);
  }

  private static Line line(String what, String contender, String unit, Samples samples) {
    return Line.of(Chapter.K1.name(), what, contender, unit, samples);
  }

  private static Samples rates(Map<String, List<Sent>> results, String contender) {
    return samples(results.getOrDefault(contender, List.of()), Sent::eventsPerSecond);
  }

  private static <T> Samples samples(List<T> rounds, ToDoubleFunction<T> value) {
    return new Samples(rounds.stream().mapToDouble(value).boxed().toList());
  }

  private static Tuning tuning(Lab lab) {
    return Tuning.THROUGHPUT.ofKeys(lab.scale().keys());
  }

  private static Sent bare(Lab lab, int events) throws Exception {
    try (Sink sink = new Sink(lab.kafka())) {
      return new Sent(sink.fillBare(events, lab.scale().keys()), sink.audit(events));
    }
  }

  private static Sent nowhere(Lab lab, Tuning tuning, int events) throws Exception {
    return new Sent(drain(lab, tuning, events, new Nowhere()), Sink.Audit.NONE);
  }

  private static Sent toKafka(Lab lab, Tuning tuning, int events) throws Exception {
    try (Sink sink = new Sink(lab.kafka())) {
      Destination kafka =
          KafkaDestination.builder(lab.kafka().address()).topic(event -> sink.topic()).build();
      double rate = drain(lab, tuning, events, kafka);
      return new Sent(rate, sink.audit(events));
    }
  }

  private static double drain(Lab lab, Tuning tuning, int events, Destination destination)
      throws Exception {
    try (Stage stage = lab.postgres().stage();
        GuardedDestination guarded = new GuardedDestination(destination);
        OurOutbox outbox = new OurOutbox(stage.setup(Completion.KEEP), tuning)) {
      outbox.createTables();
      Backlog.fill(outbox, 0, events);
      stage.settle();
      LongAdder delivered = new LongAdder();
      long started = System.nanoTime();
      outbox.deliverTo(new Acknowledged(guarded, delivered));
      return Backlog.awaitCompleted(outbox, delivered, events, lab.scale().patience())
          .completedPerSecond(events, started);
    }
  }
}
