package outbox.benchmarks.contender;

import static outbox.benchmarks.contender.RawJdbc.Writers.OWN_CONNECTION;
import static outbox.benchmarks.contender.RawJdbc.Writers.POOLED;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Who takes part. */
public final class Entrants {

  public static final String RAW = "raw JDBC";
  public static final String OURS = "outbox";

  private static final Set<Completion> BOTH = EnumSet.allOf(Completion.class);

  private Entrants() {}

  /**
   * The raw limit for writing, with connections from the pool that everybody here has: nothing is
   * ever claimed, so pages are filled to the brim.
   */
  public static Entrant rawWriter(boolean mariaDb) {
    return raw(RAW, mariaDb, new RawJdbc.Tuning(1_000, 1, 100, POOLED));
  }

  /** The same without a pool, which no application does; what the pool costs. */
  public static Entrant rawWriterWithoutPool(boolean mariaDb) {
    return raw(RAW + ", no pool", mariaDb, new RawJdbc.Tuning(1_000, 1, 100, OWN_CONNECTION));
  }

  /**
   * Statements by hand on this library's table, which has more columns and indexes than a raw one.
   */
  public static Entrant handWritten() {
    return new Entrant(RAW + ", our table", HandWritten.SETTINGS, BOTH, HandWritten::new);
  }

  /** The raw limit for draining in the variants of which the fastest counts. */
  public static List<Entrant> rawDrains(boolean mariaDb) {
    return List.of(
        rawDrain(mariaDb, 500, 1),
        rawDrain(mariaDb, 2_000, 1),
        rawDrain(mariaDb, 500, 2),
        rawDrain(mariaDb, 2_000, 2));
  }

  /** This library, set up for load. */
  public static Entrant ours() {
    return ours(OurOutbox.Tuning.THROUGHPUT);
  }

  public static Entrant ours(OurOutbox.Tuning tuning) {
    return new Entrant(OURS, tuning.title(), BOTH, setup -> new OurOutbox(setup, tuning));
  }

  /** What users would pick instead, each set up as its documentation advises for load. */
  public static List<Entrant> peers() {
    return List.of(
        new Entrant(
            "db-scheduler", DbScheduler.SETTINGS, EnumSet.of(Completion.DELETE), DbScheduler::new),
        new Entrant("namastack-outbox", Namastack.SETTINGS, BOTH, Namastack::new),
        new Entrant("Spring Modulith", Modulith.SETTINGS, BOTH, Modulith::new));
  }

  private static Entrant rawDrain(boolean mariaDb, int batch, int threads) {
    return raw(RAW, mariaDb, new RawJdbc.Tuning(batch, threads, 50, OWN_CONNECTION));
  }

  private static Entrant raw(String name, boolean mariaDb, RawJdbc.Tuning tuning) {
    RawTable table = mariaDb ? new RawMariaDb() : new RawPostgres();
    return new Entrant(name, tuning.title(), BOTH, setup -> new RawJdbc(setup, table, tuning));
  }
}
