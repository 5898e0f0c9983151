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

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Double> rates = new ArrayList<>();
    List<Double> claims = new ArrayList<>();
    try (Stage stage = lab.postgres().stage();
        Statements statements = new Statements(lab.postgres(), stage);
        Connection reader = stage.newPool().getConnection();
        Contender contender = Entrants.ours().open(stage.setup(Completion.KEEP))) {
      contender.createTables();
      holdSnapshot(reader);
      LongAdder delivered = new LongAdder();
      contender.start(id -> delivered.increment());
      Future<?> writing = startWriting(lab, contender, delivered);
      for (int part = 0; part <= lab.scale().snapshotParts(); part++) {
        statements.reset();
        double rate = rateOfPart(lab, delivered, part);
        double claim = statements.meanMillis("%SKIP LOCKED%");
        lab.say("  part %d: %.0f events/s, claim %.2f ms", part, rate, claim);
        if (part > 0) {
          rates.add(rate);
          claims.add(claim);
        }
      }
      writing.get();
      reader.rollback();
    }
    return List.of(
        change(lab, "events/s", "each part written and drained", rates)
            .ratioAtLeast(BAR, "the first part"),
        claimTime(lab, claims));
  }

  /** Always a little ahead of the delivery, so that neither waits for the other. */
  private static Future<?> startWriting(Lab lab, Contender contender, LongAdder delivered) {
    long all = (lab.scale().snapshotParts() + 1L) * lab.scale().snapshotPart();
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

  private static Line claimTime(Lab lab, List<Double> claims) {
    Line line = change(lab, "ms", "mean claim statement of each part", claims);
    double growth = line.ratio() == null ? 0 : line.ratio();
    return line.judged("≤ %s of the first part".formatted(CLAIM_BAR), growth <= CLAIM_BAR);
  }

  /** The ratio is the last part's to the first one's. */
  private static Line change(Lab lab, String unit, String what, List<Double> parts) {
    return Line.of(
            Chapter.P6.name(), "Old snapshot, " + what, Entrants.OURS, unit, new Samples(parts))
        .withRatio(parts.get(parts.size() - 1) / parts.get(0))
        .noted(
            "%d parts of %,d events, in their order: %s; the ratio is the last one's to the first's"
                .formatted(parts.size(), lab.scale().snapshotPart(), rounded(parts)));
  }

  private static List<String> rounded(List<Double> parts) {
    return parts.stream().map(part -> String.format(Locale.ROOT, "%.4g", part)).toList();
  }

  private static void holdSnapshot(Connection reader) throws Exception {
    reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    reader.setAutoCommit(false);
    try (Statement statement = reader.createStatement()) {
      statement.execute("SELECT count(*) FROM outbox_event");
    }
  }
}
