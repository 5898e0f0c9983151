package outbox.benchmarks.measurement;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.contender.Setup;

/** A node of its own: it drains a backlog and ends, or delivers until its input ends. */
public final class RelayProcess {

  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final PrintStream out = System.out;

  private RelayProcess() {}

  /** What the other process heard, and when by the clock that both share. */
  record Delivery(long id, long micros) {

    static Delivery now(long id) {
      return new Delivery(id, clockMicros());
    }

    /** Ends a process that follows and reads what it heard. */
    static List<Delivery> allOf(ChildJvm node) throws IOException {
      node.endInput();
      int count = Integer.parseInt(node.line());
      List<Delivery> deliveries = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        String[] delivery = node.line().split(" ", 2);
        deliveries.add(new Delivery(Long.parseLong(delivery[0]), Long.parseLong(delivery[1])));
      }
      return deliveries;
    }

    static long clockMicros() {
      return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
  }

  /** Arguments: the database's URL, then {@code drain} and a number, or {@code follow}. */
  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    try (HikariDataSource pool = Stage.pool(arguments[0])) {
      Setup setup = new Setup(pool, Completion.KEEP, "node-" + ProcessHandle.current().pid());
      if (arguments[1].equals("drain")) {
        new RelayProcess().drain(setup, Long.parseLong(arguments[2]));
      } else {
        new RelayProcess().follow(new OurOutbox(setup, tuning(arguments[0])));
      }
    }
  }

  static OurOutbox.Tuning tuning(String url) {
    return url.startsWith("jdbc:postgresql:")
        ? OurOutbox.Tuning.RELAY
        : OurOutbox.Tuning.THROUGHPUT;
  }

  private void drain(Setup setup, long events) throws Exception {
    try (Contender contender = new OurOutbox(setup, OurOutbox.Tuning.THROUGHPUT)) {
      double rate = Backlog.drain(contender, events, PATIENCE);
      out.println(contender.pending() + " " + String.format(Locale.ROOT, "%.1f", rate));
    }
  }

  private void follow(Contender node) throws Exception {
    Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
    try (node) {
      node.start(id -> deliveries.add(Delivery.now(id)));
      out.println("ready");
      while (System.in.read() >= 0) {}
    }
    out.println(deliveries.size());
    deliveries.forEach(delivery -> out.println(delivery.id() + " " + delivery.micros()));
  }
}
