package outbox.benchmarks.measurement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.measurement.Latencies.Percentiles;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P7: this process writes, another one delivers. */
final class OtherProcess implements Measurement {

  private static final double P50_BAR_MS = 10;
  private static final double P99_BAR_MS = 60;

  @Override
  public List<Line> run(Lab lab) throws Exception {
    Entrant ours = Entrants.ours(OurOutbox.Tuning.RELAY);
    lab.took("relaying for another process", ours);
    List<Double> p50 = new ArrayList<>();
    List<Double> p99 = new ArrayList<>();
    for (int round = 1; round <= lab.rounds(); round++) {
      Percentiles percentiles = measure(lab, ours);
      lab.say("  other process, round %d: %s", round, percentiles);
      p50.add(percentiles.p50());
      p99.add(percentiles.p99());
    }
    return List.of(
        line("Other process, 500 events/s, p50", p50).atMost(P50_BAR_MS),
        line("Other process, 500 events/s, p99", p99).atMost(P99_BAR_MS));
  }

  private static Line line(String what, List<Double> values) {
    return Line.of(Chapter.P7.name(), what, Entrants.OURS, "ms", new Samples(values));
  }

  private static Percentiles measure(Lab lab, Entrant ours) throws Exception {
    int warmUp = (int) (lab.scale().warmUp().toMillis() * Latency.EVENTS_PER_SECOND / 1_000);
    int events =
        warmUp + (int) (lab.scale().latency().toMillis() * Latency.EVENTS_PER_SECOND / 1_000);
    Latencies latencies = new Latencies(events);
    try (Stage stage = lab.postgres().stage();
        Contender contender = ours.open(stage.setup(Completion.KEEP, "writer"))) {
      contender.createTables();
      try (ChildJvm relay =
          ChildJvm.start(RelayProcess.class, List.of(), List.of(stage.url(), "follow"))) {
        relay.expect("ready");
        try (Load load =
            Load.paced(
                contender,
                new AtomicLong(),
                Latency.EVENTS_PER_SECOND,
                id -> latencies.committed(id, nanos(RelayProcess.Delivery.clockMicros())))) {
          load.goOnFor(lab.scale().warmUp().plus(lab.scale().latency()));
        }
        lab.pause(lab.scale().warmUp());
        collect(relay, latencies);
      }
    }
    return latencies.percentiles(warmUp);
  }

  private static void collect(ChildJvm relay, Latencies latencies) throws IOException {
    for (RelayProcess.Delivery delivery : RelayProcess.Delivery.allOf(relay)) {
      latencies.delivered(delivery.id(), nanos(delivery.micros()));
    }
  }

  private static long nanos(long micros) {
    return micros * 1_000;
  }
}
