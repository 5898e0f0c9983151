package outbox.benchmarks.measurement;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.contender.Setup;
import outbox.benchmarks.contender.Traffic;

/**
 * A node of its own that writes from several threads and delivers at once, with so little room that
 * much of what it writes stays in the table, where all nodes take from. Some events fail the first
 * time that they come to a node.
 */
public final class CrowdedNode {

  private static final OurOutbox.Room LITTLE_ROOM = new OurOutbox.Room(50, 1_000, 60_000);
  private static final int WRITERS = 3;

  /** How many events a transaction has; not all of these fit into the hot queue. */
  private static final int[] BATCHES = {1, 12, 3, 40, 1, 25, 120};

  private static final int ONE_FAILS_IN = 20;
  private static final int FEW = 300;
  private static final long GLANCE_NANOS = 1_000_000;

  private final PrintStream out = System.out;
  private final Traffic traffic = new Traffic();
  private final Queue<Long> delivered = new ConcurrentLinkedQueue<>();
  private final Set<Long> failed = ConcurrentHashMap.newKeySet();

  private CrowdedNode() {}

  /**
   * What a node did.
   *
   * @param delivered the events whose listener returned here, each time
   */
  record Report(
      long straight, long overflowed, long released, long failed, List<Integer> delivered) {

    /** Ends the node and reads what it did. */
    static Report of(ChildJvm node) throws IOException {
      node.endInput();
      List<Long> counts = numbers(node.line()).toList();
      List<Integer> ids = numbers(node.line()).map(Math::toIntExact).toList();
      return new Report(counts.get(0), counts.get(1), counts.get(2), counts.get(3), ids);
    }

    private static Stream<Long> numbers(String line) {
      return Arrays.stream(line.split(" ")).filter(text -> !text.isEmpty()).map(Long::valueOf);
    }
  }

  static ChildJvm start(String url, int from, int to) throws IOException {
    List<String> arguments = List.of(url, Integer.toString(from), Integer.toString(to));
    return ChildJvm.start(CrowdedNode.class, List.of(), arguments);
  }

  /**
   * Arguments: the database's URL and the range of events that it writes. Begins with a line of
   * input, and delivers until the input ends.
   */
  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("").setLevel(Level.SEVERE); // that queues are full is the point of it
    try (HikariDataSource pool = Stage.pool(arguments[0])) {
      Setup setup = new Setup(pool, Completion.KEEP, "node-" + ProcessHandle.current().pid());
      OurOutbox.Tuning tuning = RelayProcess.tuning(arguments[0]).within(LITTLE_ROOM);
      new CrowdedNode()
          .run(setup, tuning, Long.parseLong(arguments[1]), Long.parseLong(arguments[2]));
    }
  }

  private void run(Setup setup, OurOutbox.Tuning tuning, long from, long to) throws Exception {
    try (OurOutbox node = new OurOutbox(setup, tuning, traffic)) {
      node.start(this::deliver);
      out.println("ready");
      while (System.in.read() != '\n') {}
      write(node, from, to);
      out.println("written");
      while (System.in.read() >= 0) {}
    }
    out.printf(
        "%d %d %d %d%n",
        traffic.straight(), traffic.overflowed(), traffic.released(), traffic.failed());
    out.println(delivered.stream().map(String::valueOf).collect(Collectors.joining(" ")));
  }

  private void deliver(long id) {
    if (id % ONE_FAILS_IN == 0 && failed.add(id)) {
      throw new IllegalStateException("fails at first");
    }
    delivered.add(id);
  }

  private static void write(OurOutbox node, long from, long to) throws Exception {
    AtomicLong next = new AtomicLong(from);
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writing = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int first = i;
        writing.add(
            writers.submit(
                () -> {
                  write(node, next, to, first);
                  return null;
                }));
      }
      for (Future<?> written : writing) {
        written.get();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  /** Until all are written; begins with the batch of this number. */
  private static void write(OurOutbox node, AtomicLong next, long to, int first)
      throws SQLException {
    for (int batch = first; next.get() < to; batch++) {
      int size = BATCHES[batch % BATCHES.length];
      long start = next.getAndAdd(size);
      awaitFewPending(node);
      if (start < to) {
        node.writeAll(start, Math.min(to, start + size));
      }
    }
  }

  /** Nodes take the oldest first: behind a backlog nobody would touch what was just committed. */
  private static void awaitFewPending(OurOutbox node) throws SQLException {
    while (node.pending() > FEW) {
      LockSupport.parkNanos(GLANCE_NANOS);
    }
  }
}
