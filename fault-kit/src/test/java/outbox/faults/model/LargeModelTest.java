package outbox.faults.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The models of {@link ModelTest} with more faults at once: {@code make model}. */
@Tag("large")
class LargeModelTest {

  static Stream<Model> sound() {
    Model cold = Model.claims().with("HotPath", "FALSE");
    return Stream.of(
        Model.claims().with("Pauses", 1),
        Model.claims().with("MaxAttempts", 2).with("Crashes", 1),
        Model.claims().with("LostAnswers", 1).with("Closes", 1),
        Model.claims().with("Conflicts", 1),
        cold.with("Nodes", "{a, b, c}").with("Pauses", 1),
        cold.with("Crashes", 1).with("Pauses", 1).with("MaxAttempts", 2),
        cold.with("Closes", 1).with("LostAnswers", 2).with("Conflicts", 1),
        Model.partitions().with("Pauses", 1),
        Model.partitions().with("Crashes", 1).with("Closes", 1),
        Model.partitions().with("Partitions", 2).with("Keys", 2).with("Closes", 1),
        Model.cursor().with("Limit", 1),
        Model.cursor().with("Limit", 1).with("Snapshots", "FALSE"));
  }

  static Stream<Model> lively() {
    Model cold = Model.claims().with("HotPath", "FALSE");
    return Stream.of(
            cold.with("Pauses", 1),
            cold.with("LostAnswers", 1).with("Closes", 1),
            Model.partitions().with("Events", "{1}").with("Pauses", 1),
            Model.partitions().with("Events", "{1}").with("Closes", 1))
        .map(Model::lively);
  }

  @ParameterizedTest
  @MethodSource("sound")
  void protocolKeepsItsPromises(Model model) {
    passes(model.telling());
  }

  @ParameterizedTest
  @MethodSource("lively")
  void everyCommittedEventEnds(Model model) {
    passes(model);
  }

  private static void passes(Model model) {
    long start = System.nanoTime();
    Verdict verdict = ModelChecker.thorough().check(model);
    System.out.printf(
        "%,d states in %d s: %s%n",
        verdict.states(), (System.nanoTime() - start) / 1_000_000_000, model);
    assertThat(verdict.broken()).as(verdict.output()).isEmpty();
  }
}
