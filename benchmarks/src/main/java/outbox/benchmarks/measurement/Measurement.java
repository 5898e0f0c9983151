package outbox.benchmarks.measurement;

import java.util.List;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;

/** One measurement of the table. */
@FunctionalInterface
public interface Measurement {

  List<Line> run(Lab lab) throws Exception;

  static Measurement of(Chapter chapter) {
    return switch (chapter) {
      case P1 -> new Write();
      case P2 -> new Drain();
      case P3 -> new EndToEnd();
      case P3b -> new Latency();
      case P4 -> new SeveralNodes();
      case P5 -> new Ordered();
      case P6 -> new OldSnapshot();
      case P7 -> new OtherProcess();
      case P8 -> new SmallHeap();
      case P9 -> new CostPerEvent();
      case P10 -> new PurgeUnderLoad();
      case P11 -> new Idle();
      case P12 -> new MariaDb();
      case K1 -> new ToKafka();
      case K2 -> new DeadDestination();
    };
  }
}
