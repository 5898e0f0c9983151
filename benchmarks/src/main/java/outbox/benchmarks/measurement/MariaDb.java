package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.List;
import outbox.benchmarks.contender.Entrants;
import outbox.benchmarks.report.Chapter;
import outbox.benchmarks.report.Line;

/** P12: write and drain on MariaDB. */
final class MariaDb implements Measurement {

  @Override
  public List<Line> run(Lab lab) throws Exception {
    Server server = lab.mariaDb();
    List<Line> lines =
        new ArrayList<>(
            Write.lines(
                lab,
                server,
                List.of(
                    Entrants.rawWriter(true), Entrants.rawWriterWithoutPool(true), Entrants.ours()),
                Chapter.P12,
                "MariaDB, write, 8 threads"));
    lines.addAll(Drain.lines(lab, server, List.of(Entrants.ours()), Chapter.P12, "MariaDB, drain"));
    return lines;
  }
}
