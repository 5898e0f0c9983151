package outbox.benchmarks.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.benchmarks.report.Line;
import outbox.benchmarks.report.Verdict;

/** Drains in order for real, behind a blocked aggregate, too; says nothing about speed. */
class OrderedTest {

  @Test
  void deliversEverythingInOrder() throws Exception {
    try (Lab lab =
        new Lab(Scale.QUICK, 1, List.of(), new PrintStream(OutputStream.nullOutputStream()))) {
      List<Line> lines = new Ordered().run(lab);

      assertThat(lines)
          .filteredOn(line -> line.unit().equals("events/s"))
          .hasSize(7)
          .allSatisfy(line -> assertThat(line.median()).as(line.what()).isPositive());
      assertThat(lines)
          .filteredOn(line -> line.what().startsWith("Delivered out of order"))
          .hasSize(2)
          .allSatisfy(line -> assertThat(line.verdict()).isEqualTo(Verdict.HOLDS));
    }
  }
}
