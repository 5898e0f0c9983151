package outbox.benchmarks.measurement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** Nodes in JVMs of their own that write and deliver at once, hot path and polling together. */
final class SeveralProcesses {

  private static final int NODES = 4;

  private SeveralProcesses() {}

  static List<Line> run(Lab lab, Server server) throws Exception {
    int events = lab.scale().processEvents();
    try (Stage stage = server.stage();
        Contender observer = Entrants.ours().open(stage.setup(Completion.KEEP, "observer"))) {
      observer.createTables();
      List<ChildJvm> nodes = new ArrayList<>();
      try {
        for (int i = 0; i < NODES; i++) {
          nodes.add(node(stage, (long) events * i / NODES, (long) events * (i + 1) / NODES));
        }
        return judged(lab, server, nodes, observer, events);
      } finally {
        nodes.forEach(ChildJvm::close);
      }
    }
  }

  private static ChildJvm node(Stage stage, long from, long to) throws IOException {
    List<String> arguments = List.of(stage.url(), "follow", Long.toString(from), Long.toString(to));
    return ChildJvm.start(RelayProcess.class, List.of(), arguments);
  }

  private static List<Line> judged(
      Lab lab, Server server, List<ChildJvm> nodes, Contender observer, int events)
      throws Exception {
    for (ChildJvm node : nodes) {
      node.expect("ready");
    }
    for (ChildJvm node : nodes) {
      node.expect("written");
    }
    awaitCompleted(lab, observer);
    int[] deliveries = new int[events];
    for (ChildJvm node : nodes) {
      RelayProcess.Delivery.allOf(node).forEach(delivery -> deliveries[(int) delivery.id()]++);
    }
    double lost = Arrays.stream(deliveries).filter(count -> count == 0).count();
    double duplicates = Arrays.stream(deliveries).map(count -> Math.max(0, count - 1)).sum();
    String what =
        "%,d events of %d processes on %s, ".formatted(events, NODES, server.productName());
    lab.say("  %sduplicates %.0f, lost %.0f", what, duplicates, lost);
    return List.of(none(what + "duplicates", duplicates), none(what + "lost", lost));
  }

  private static void awaitCompleted(Lab lab, Contender observer) throws Exception {
    long deadline = System.nanoTime() + lab.scale().patience().toNanos();
    while (observer.pending() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static Line none(String what, double count) {
    return Line.of(Chapter.P4.name(), what, Entrants.OURS, "", Samples.of(count))
        .judged("0", count == 0);
  }
}
