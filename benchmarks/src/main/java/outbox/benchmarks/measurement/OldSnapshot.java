package outbox.benchmarks.measurement;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P6: drains part after part while a transaction keeps every dead row version alive. */
final class OldSnapshot implements Measurement {

  private static final double BAR = 0.9;
  private static final double CLAIM_BAR = 1.1;
  private static final int STEP = 5_000;
  private static final int AHEAD = 10_000;
  private static final long GLANCE_NANOS = 1_000_000;

  /** Parts before the first that counts; one is too few, the part after it is still slow. */
  private static final int WARM_UP_PARTS = 2;

  /** What was measured of each part that counts, in their order. */
  record Round(List<Double> rates, List<Double> claims) {}

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Round> rounds = new ArrayList<>();
    for (int round = 1; round <= lab.rounds(); round++) {
      lab.say("  round %d", round);
      rounds.add(round(lab));
    }
    return lines(lab.scale().snapshotPart(), rounds);
  }

  private static Round round(Lab lab) throws Exception {
    Round round = new Round(new ArrayList<>(), new ArrayList<>());
    try (Stage stage = lab.postgres().stage();
        Statements statements = new Statements(lab.postgres(), stage);
        Connection reader = stage.newPool().getConnection();
        Contender contender = Entrants.ours().open(stage.setup(Completion.KEEP))) {
      contender.createTables();
      holdSnapshot(reader);
      LongAdder delivered = new LongAdder();
      contender.start(id -> delivered.increment());
      Future<?> writing = startWriting(lab, contender, delivered);
      for (int part = 0; part < allParts(lab); part++) {
        statements.reset();
        double rate = rateOfPart(lab, delivered, part);
        double claim = statements.meanMillis("%SKIP LOCKED%");
        lab.say("  part %d: %.0f events/s, claim %.2f ms", part, rate, claim);
        if (part >= WARM_UP_PARTS) {
          round.rates().add(rate);
          round.claims().add(claim);
        }
      }
      writing.get();
      reader.rollback();
    }
    return round;
  }

  private static int allParts(Lab lab) {
    return WARM_UP_PARTS + lab.scale().snapshotParts();
  }

  /** Always a little ahead of the delivery, so that neither waits for the other. */
  private static Future<?> startWriting(Lab lab, Contender contender, LongAdder delivered) {
    long all = (long) allParts(lab) * lab.scale().snapshotPart();
    int step = Math.min(STEP, lab.scale().snapshotPart());
    ExecutorService writer = Executors.newSingleThreadExecutor();
    Future<?> writing =
        writer.submit(
            () -> {
              for (long from = 0; from < all; from += step) {
                await(delivered, from - AHEAD, lab.scale().patience());
                contender.fill(from, Math.min(all, from + step));
              }
              return null;
            });
    writer.shutdown();
    return writing;
  }

  private static double rateOfPart(Lab lab, LongAdder delivered, int part) {
    int events = lab.scale().snapshotPart();
    long start = System.nanoTime();
    await(delivered, (part + 1L) * events, lab.scale().patience());
    return events * 1e9 / (System.nanoTime() - start);
  }

  private static void await(LongAdder delivered, long count, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (delivered.sum() < count) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "delivered %d of %d events within %s".formatted(delivered.sum(), count, patience));
      }
      LockSupport.parkNanos(GLANCE_NANOS);
    }
  }

  static List<Line> lines(int eventsPerPart, List<Round> rounds) {
    Line claims =
        change(
            "ms", "mean claim statement of each part", eventsPerPart, parts(rounds, Round::claims));
    double growth = claims.ratio() == null ? Double.NaN : claims.ratio();
    return List.of(
        change(
                "events/s",
                "each part written and drained",
                eventsPerPart,
                parts(rounds, Round::rates))
            .ratioAtLeast(BAR, "the first part"),
        claims.judged("≤ %s of the first part".formatted(CLAIM_BAR), growth <= CLAIM_BAR));
  }

  /** Each part, as the rounds measured it. */
  private static List<Samples> parts(List<Round> rounds, Function<Round, List<Double>> values) {
    int parts = values.apply(rounds.get(0)).size();
    return IntStream.range(0, parts)
        .mapToObj(
            part -> new Samples(rounds.stream().map(values).map(row -> row.get(part)).toList()))
        .toList();
  }

  /** The ratio is the last part's to the first one's. */
  private static Line change(String unit, String what, int eventsPerPart, List<Samples> parts) {
    List<Double> medians = parts.stream().map(Samples::median).toList();
    Samples first = parts.get(0);
    Samples last = parts.get(parts.size() - 1);
    return Line.of(
            Chapter.P6.name(), "Old snapshot, " + what, Entrants.OURS, unit, new Samples(medians))
        .withRatio(last.ratioTo(first))
        .noted(
            "%d parts of %,d events after %,d to warm up, in their order, the medians of the rounds: %s; the ratio is the last part's to the first's, the median of the rounds' %s"
                .formatted(
                    parts.size(),
                    eventsPerPart,
                    WARM_UP_PARTS * eventsPerPart,
                    rounded(medians),
                    rounded(last.ratiosTo(first))));
  }

  private static List<String> rounded(List<Double> values) {
    return values.stream().map(value -> String.format(Locale.ROOT, "%.4g", value)).toList();
  }

  private static void holdSnapshot(Connection reader) throws Exception {
    reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    reader.setAutoCommit(false);
    try (Statement statement = reader.createStatement()) {
      statement.execute("SELECT count(*) FROM outbox_event");
    }
  }
}
