package outbox.benchmarks.measurement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/**
 * Nodes in JVMs of their own that write and deliver at once, hot path and polling together, with
 * little room and with events that fail at first.
 */
final class SeveralProcesses {

  private static final int NODES = 4;

  /** Less than a lease lasts: what only its end sets free counts as lost. */
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  private SeveralProcesses() {}

  /**
   * What became of all events.
   *
   * @param duplicates times that a listener returned for an event for which one had before
   * @param byOthers events delivered by another node than the one that wrote them
   */
  record Result(
      int events,
      long lost,
      long duplicates,
      long straight,
      long overflowed,
      long released,
      long failed,
      long byOthers) {

    /** Whether events took every way on which one could be lost or delivered twice. */
    boolean tellsSomething() {
      return straight > 0 && overflowed > 0 && released > 0 && failed > 0 && byOthers > 0;
    }
  }

  static List<Line> run(Lab lab, Server server) throws Exception {
    Result result = measure(lab, server);
    String what =
        "%,d events of %d processes on %s, "
            .formatted(result.events(), NODES, server.productName());
    lab.say("  %s%s", what, result);
    return List.of(
        line(what + "duplicates", result.duplicates()).judged("0", result.duplicates() == 0),
        line(what + "lost", result.lost()).judged("0", result.lost() == 0),
        line(what + "delivered by another than the writer", result.byOthers())
            .judged("> 0", result.tellsSomething())
            .noted(
                "%,d went straight from their commit to the queue, %,d found no room there, %,d were claimed and given back; %,d tries failed"
                    .formatted(
                        result.straight(),
                        result.overflowed(),
                        result.released(),
                        result.failed())));
  }

  static Result measure(Lab lab, Server server) throws Exception {
    int events = lab.scale().processEvents();
    try (Stage stage = server.stage();
        Contender observer = Entrants.ours().open(stage.setup(Completion.KEEP, "observer"))) {
      observer.createTables();
      List<ChildJvm> nodes = new ArrayList<>();
      try {
        for (int i = 0; i < NODES; i++) {
          nodes.add(CrowdedNode.start(stage.url(), first(i, events), first(i + 1, events)));
        }
        return result(events, reports(nodes, observer));
      } finally {
        nodes.forEach(ChildJvm::close);
      }
    }
  }

  /** The first event that a node writes. */
  private static int first(int node, int events) {
    return (int) ((long) events * node / NODES);
  }

  private static List<CrowdedNode.Report> reports(List<ChildJvm> nodes, Contender observer)
      throws Exception {
    for (ChildJvm node : nodes) {
      node.expect("ready");
    }
    for (ChildJvm node : nodes) {
      node.nudge();
    }
    for (ChildJvm node : nodes) {
      node.expect("written");
    }
    awaitCompleted(observer);
    List<CrowdedNode.Report> reports = new ArrayList<>();
    for (ChildJvm node : nodes) {
      reports.add(CrowdedNode.Report.of(node));
    }
    return reports;
  }

  private static void awaitCompleted(Contender observer) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (observer.pending() > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static Result result(int events, List<CrowdedNode.Report> reports) {
    int[] deliveries = new int[events];
    long byOthers = 0;
    for (int node = 0; node < NODES; node++) {
      for (int id : reports.get(node).delivered()) {
        deliveries[id]++;
        boolean isOwn = id >= first(node, events) && id < first(node + 1, events);
        byOthers += isOwn ? 0 : 1;
      }
    }
    return new Result(
        events,
        Arrays.stream(deliveries).filter(count -> count == 0).count(),
        Arrays.stream(deliveries).map(count -> Math.max(0, count - 1)).sum(),
        sum(reports, CrowdedNode.Report::straight),
        sum(reports, CrowdedNode.Report::overflowed),
        sum(reports, CrowdedNode.Report::released),
        sum(reports, CrowdedNode.Report::failed),
        byOthers);
  }

  private static long sum(
      List<CrowdedNode.Report> reports, ToLongFunction<CrowdedNode.Report> count) {
    return reports.stream().mapToLong(count).sum();
  }

  private static Line line(String what, long count) {
    return Line.of(Chapter.P4.name(), what, Entrants.OURS, "", Samples.of((double) count));
  }
}
