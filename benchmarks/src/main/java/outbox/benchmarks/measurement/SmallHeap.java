package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.List;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P8: a large backlog and a process that has room for little of it. */
final class SmallHeap implements Measurement {

  @Override
  public List<Line> run(Lab lab) throws Exception {
    List<Line> lines = new ArrayList<>();
    lines.add(drain(lab, 128));
    lines.add(drain(lab, 64));
    return lines;
  }

  private static Line drain(Lab lab, int megabytes) throws Exception {
    int events = lab.scale().memoryBacklog();
    String what = "Drain %,d events with -Xmx%dm".formatted(events, megabytes);
    try (Stage stage = lab.postgres().stage();
        Contender contender = Entrants.ours().open(stage.setup(Completion.KEEP))) {
      contender.createTables();
      Backlog.fill(contender, 0, events);
      stage.settle();
      try (ChildJvm relay =
          ChildJvm.start(
              RelayProcess.class,
              List.of("-Xmx" + megabytes + "m", "-XX:+ExitOnOutOfMemoryError"),
              List.of(stage.url(), "drain", Integer.toString(events)))) {
        boolean passed = relay.succeeded() && contender.pending() == 0;
        double rate = passed ? Double.parseDouble(relay.line().split(" ", 2)[1]) : 0;
        lab.say("  %s: %s, %.0f events/s", what, passed ? "passed" : "failed", rate);
        return Line.of(Chapter.P8.name(), what, Entrants.OURS, "events/s", Samples.of(rate))
            .judged(megabytes == 128 ? "passes" : "aim: passes", passed);
      }
    }
  }
}
