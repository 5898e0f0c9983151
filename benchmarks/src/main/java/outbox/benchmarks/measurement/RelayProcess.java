package outbox.benchmarks.measurement;

import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.contender.Setup;

/** A process that only relays: it drains a backlog and ends, or follows until its input ends. */
public final class RelayProcess {

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final PrintStream out = System.out;

  private RelayProcess() {}

  /** What the other process heard, and when by the clock that both share. */
  record Delivery(long id, long micros) {

    static Delivery now(long id) {
      return new Delivery(id, clockMicros());
    }

    static long clockMicros() {
      return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
  }

  /** Arguments: the database's URL, then {@code drain} and a number, or {@code follow}. */
  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    try (HikariDataSource pool = Stage.pool(arguments[0])) {
      Setup setup = new Setup(pool, Completion.KEEP, "relay");
      if (arguments[1].equals("drain")) {
        new RelayProcess().drain(setup, Long.parseLong(arguments[2]));
      } else {
        new RelayProcess().follow(setup);
      }
    }
  }

  private void drain(Setup setup, long events) throws Exception {
    try (Contender contender = new OurOutbox(setup, OurOutbox.Tuning.THROUGHPUT)) {
      double rate = Backlog.drain(contender, events, PATIENCE);
      out.println(contender.pending() + " " + String.format(Locale.ROOT, "%.1f", rate));
    }
  }

  private void follow(Setup setup) throws Exception {
    Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
    try (Contender contender = new OurOutbox(setup, OurOutbox.Tuning.RELAY)) {
      contender.start(id -> deliveries.add(Delivery.now(id)));
      out.println("ready");
      while (System.in.read() >= 0) {}
    }
    out.println(deliveries.size());
    deliveries.forEach(delivery -> out.println(delivery.id() + " " + delivery.micros()));
  }
}
