package outbox.jdbc.ordered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A judge who overlooks nothing, and condemns nobody for what is allowed. */
class VerdictTest {

  private static final Map<String, Map<Integer, String>> TWO =
      Map.of("a", Map.of(1, "e1", 2, "e2"));

  @Test
  void retriesAndNewOwnersAreFine() {
    Verdict verdict =
        judge(
            begin("x", 1, 1, 1), "end x 1 0 false",
            begin("x", 2, 1, 1), "end x 2 0 true",
            begin("y", 1, 1, 2), "end y 1 0 true",
            begin("y", 2, 2, 2), "end y 2 0 true");

    verdict.requireOrder().requireExactly(TWO).requireRepeatsOnlyOf(Map.of("x", 1), 1);
    assertThat(verdict.repeats()).isEqualTo(1);
    assertThatThrownBy(() -> verdict.requireRepeatsOnlyOf(Map.of(), 1))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void eventBeforeTheOneInFrontOfItIsOutOfOrder() {
    assertOutOfOrder(begin("x", 1, 2, 1));
    assertOutOfOrder(begin("x", 1, 1, 1), "end x 1 0 false", begin("x", 2, 2, 1));
    assertOutOfOrder(begin("x", 1, 1, 1), begin("y", 1, 2, 2));
  }

  @Test
  void eventThatComesBackAfterTheNextOneIsOutOfOrder() {
    assertOutOfOrder(
        begin("x", 1, 1, 1),
        "end x 1 0 true",
        begin("x", 2, 2, 1),
        "end x 2 0 true",
        begin("y", 1, 1, 2));
  }

  @Test
  void ownerHasOneEventOfAnAggregateAtATimeAndEachOnce() {
    assertOutOfOrder(begin("x", 1, 1, 1), begin("x", 2, 1, 1));
    assertOutOfOrder(begin("x", 1, 1, 1), "end x 1 0 true", begin("x", 2, 1, 1));
  }

  @Test
  void whatAZombieDoesIsLeftOutAndCounted() {
    Verdict verdict =
        judge(
            begin("x", 1, 1, 1),
            begin("y", 1, 1, 2),
            "end x 1 0 true",
            "end y 1 0 true",
            begin("y", 2, 2, 2),
            "end y 2 0 true",
            begin("x", 2, 1, 1));

    verdict.requireOrder().requireExactly(TWO).requireZombiesOnlyOf(Map.of("x", 1));
    assertThat(verdict.zombies()).isEqualTo(2);
    assertThatThrownBy(() -> verdict.requireZombiesOnlyOf(Map.of()))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void successOfAZombieIsNoReasonToGoOn() {
    assertOutOfOrder(
        begin("x", 1, 1, 1), begin("y", 1, 1, 2), "end x 1 0 true", begin("y", 2, 2, 2));
  }

  @Test
  void lostAndInventedEventsAreFound() {
    Verdict verdict = judge(begin("x", 1, 1, 1), "end x 1 0 true");

    assertThatThrownBy(() -> verdict.requireExactly(TWO)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> verdict.requireExactly(Map.of())).isInstanceOf(AssertionError.class);
    verdict.requireExactly(Map.of("a", Map.of(1, "e1")));
  }

  private static void assertOutOfOrder(String... lines) {
    assertThatThrownBy(() -> judge(lines).requireOrder()).isInstanceOf(AssertionError.class);
  }

  private static Verdict judge(String... lines) {
    List<String> text = Arrays.asList(lines);
    return Verdict.on(History.parse(text));
  }

  private static String begin(String node, int call, int version, int epoch) {
    return "begin %s %d 0 a %d %d %d e%d".formatted(node, call, version, version, epoch, version);
  }
}
