package outbox.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import outbox.benchmarks.report.Chapter;

class BenchOptionsTest {

  @Test
  void measuresEverythingIntoTheDocumentationUnlessToldOtherwise() {
    BenchOptions options = BenchOptions.parse();

    assertThat(options.chapters()).containsExactly(Chapter.values());
    assertThat(options.rounds()).isEqualTo(3);
    assertThat(options.folder()).isEqualTo(Path.of("docs"));
  }

  @Test
  void partialAndQuickRunsLeaveTheDocumentationAlone() {
    assertThat(BenchOptions.parse("p2", "P1").chapters()).containsExactly(Chapter.P1, Chapter.P2);
    assertThat(BenchOptions.parse("P1").folder()).isNotEqualTo(Path.of("docs"));
    assertThat(BenchOptions.parse("--quick").folder()).isNotEqualTo(Path.of("docs"));
    assertThat(BenchOptions.parse("--quick", "--output", "x").folder()).isEqualTo(Path.of("x"));
    assertThat(BenchOptions.parse("P1", "--update").folder()).isEqualTo(Path.of("docs"));
    assertThat(BenchOptions.parse("P1", "--update", "--alone").folder())
        .isNotEqualTo(Path.of("docs"));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BenchOptions.parse("P13"))
        .withMessageContaining("got: P13");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BenchOptions.parse("--rounds", "0"))
        .withMessageContaining("got: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BenchOptions.parse("--rounds"))
        .withMessage("--rounds needs a value");
  }
}
