package outbox.benchmarks.measurement;

import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.contender.Setup;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P6: drains part after part while a transaction keeps every dead row version alive. */
final class OldSnapshot implements Measurement {

  private static final double BAR = 0.9;
  private static final double CLAIM_BAR = 1.1;

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Double> rates = new ArrayList<>();
    List<Double> claims = new ArrayList<>();
    try (Stage stage = lab.postgres().stage();
        Statements statements = new Statements(lab.postgres(), stage);
        Connection reader = stage.newPool().getConnection()) {
      Setup setup = stage.setup(Completion.KEEP);
      try (Contender contender = Entrants.ours().open(setup)) {
        contender.createTables();
      }
      holdSnapshot(reader);
      for (int part = 0; part <= lab.scale().snapshotParts(); part++) {
        statements.reset();
        double rate = drainPart(lab, setup, part);
        double claim = statements.meanMillis("%SKIP LOCKED%");
        lab.say("  part %d: %.0f events/s, claim %.2f ms", part, rate, claim);
        if (part > 0) {
          rates.add(rate);
          claims.add(claim);
        }
      }
      reader.rollback();
    }
    return List.of(
        change(lab, "events/s", "drain of each part", rates).ratioAtLeast(BAR, "the first part"),
        claimTime(lab, claims));
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

  private static double drainPart(Lab lab, Setup setup, int part) throws Exception {
    int events = lab.scale().snapshotPart();
    try (Contender contender = Entrants.ours().open(setup)) {
      Backlog.fill(contender, (long) part * events, (part + 1L) * events);
      return Backlog.drain(contender, events, lab.scale().patience());
    }
  }
}
