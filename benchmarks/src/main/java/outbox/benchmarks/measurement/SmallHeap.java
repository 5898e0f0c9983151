package outbox.benchmarks.measurement;

import java.util.List;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Contender;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Samples;

/** P8: a large backlog and a process that has room for little of it. */
final class SmallHeap implements Measurement {

  /** What a JVM ends with that runs out of memory. */
  static final int OUT_OF_MEMORY = 3;

  /** How the other process ended, and how many events it left. */
  record Result(int exitStatus, long left, double eventsPerSecond) {

    boolean passed() {
      return exitStatus == 0 && left == 0;
    }
  }

  @Override
  public List<Line> run(Lab lab) throws Exception {
    return List.of(line(lab, 128, "passes"), line(lab, 64, "aim: passes"));
  }

  private static Line line(Lab lab, int megabytes, String bar) throws Exception {
    int events = lab.scale().memoryBacklog();
    Result result = drain(lab, RelayProcess.class, events, megabytes);
    String what = "Drain %,d events with -Xmx%dm".formatted(events, megabytes);
    lab.say("  %s: %s", what, result);
    return Line.of(
            Chapter.P8.name(),
            what,
            Entrants.OURS,
            "events/s",
            Samples.of(result.eventsPerSecond()))
        .judged(bar, result.passed());
  }

  /** Has a relay of this class drain a backlog. */
  static Result drain(Lab lab, Class<?> relay, int events, int megabytes) throws Exception {
    try (Stage stage = lab.postgres().stage();
        Contender contender = Entrants.ours().open(stage.setup(Completion.KEEP))) {
      contender.createTables();
      Backlog.fill(contender, 0, events);
      stage.settle();
      try (ChildJvm process =
          ChildJvm.start(
              relay,
              List.of("-Xmx" + megabytes + "m", "-XX:+ExitOnOutOfMemoryError"),
              List.of(stage.url(), "drain", Integer.toString(events)))) {
        int exitStatus = process.exitStatus();
        double rate = exitStatus == 0 ? Double.parseDouble(process.line().split(" ", 2)[1]) : 0;
        return new Result(exitStatus, contender.pending(), rate);
      }
    }
  }
}
