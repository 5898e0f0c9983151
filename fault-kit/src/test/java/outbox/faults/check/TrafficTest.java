package outbox.faults.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.History;

/** What is measured is what the history says. */
class TrafficTest {

  @Test
  void callsThatOverlapCountTogetherAndThoseOfOthersDoNot() {
    History history =
        History.parse(
            Map.of(
                "x",
                    List.of(
                        "1 begin 1 e1 a 1 0 0",
                        "2 begin 2 e2 b 1 0 0",
                        "3 end 1 true",
                        "4 begin 3 e3 c 1 0 0",
                        "5 end 2 false",
                        "6 end 3 true"),
                "y", List.of("2 begin 1 e4 d 1 0 0", "9 end 1 true")));

    assertThat(new Traffic(history).peak("x")).isEqualTo(2);
    assertThat(new Traffic(history).peak("y")).isEqualTo(1);
  }

  @Test
  void throughputIsWhatWasDeliveredOfWhatWasCommittedMeanwhile() {
    History history =
        History.parse(
            Map.of(
                "w",
                    List.of(
                        "1 write 1 e1 a 1",
                        "2 commit 1",
                        "3 write 2 e2 a 2 e3 b 1",
                        "4 commit 2",
                        "5 write 3 e4 a 3"),
                "x",
                    List.of(
                        "4 begin 1 e1 a 1 0 0",
                        "5 end 1 true",
                        "6 begin 2 e2 a 2 0 0",
                        "7 end 2 false",
                        "8 begin 3 e3 b 1 0 0",
                        "9 end 3 true")));
    Traffic traffic = new Traffic(history);

    assertThat(traffic.share(0, 10, event -> event.key().equals("a"))).isEqualTo(0.5);
    assertThat(traffic.share(0, 10, event -> event.key().equals("b"))).isEqualTo(1);
    assertThat(traffic.share(0, 9, event -> event.key().equals("b"))).isZero();
    assertThat(traffic.deliveredBefore(11, 0, 10, event -> event.key().equals("a"))).isEqualTo(0.5);
    assertThat(traffic.deliveredBefore(11, 0, 10, event -> event.key().equals("c"))).isZero();
    assertThat(traffic.slowest(event -> event.key().equals("a"))).isEqualTo(Duration.ofNanos(3));
    assertThat(traffic.slowest(event -> true)).isEqualTo(Duration.ofNanos(5));
  }

  @Test
  void shortestPauseIsBetweenCallsWithTheSameEvent() {
    History history =
        History.parse(
            Map.of(
                "x",
                    List.of(
                        "10 begin 1 e1 a 1 0 0",
                        "11 begin 2 e2 b 1 0 0",
                        "40 begin 3 e1 a 1 0 0",
                        "90 begin 4 e2 b 1 0 0"),
                "y", List.of("65 begin 1 e1 a 1 0 0")));

    assertThat(new Traffic(history).shortestPause()).isEqualTo(Duration.ofNanos(25));
  }

  @Test
  void eventMayComeAgainOnlyIfTheCallSeemedToFail() {
    List<Row> rows = List.of(new Row(new Event("e1", "a", 1), 1, 1));
    List<String> again = List.of("5 begin 2 e1 a 1 1 1", "6 end 2 true");
    Checker known = checker(List.of("1 begin 1 e1 a 1 1 1", "3 end 1 true"), again, rows);
    Checker forgotten =
        checker(List.of("1 begin 1 e1 a 1 1 1", "2 forget 1", "3 end 1 true"), again, rows);

    forgotten.repeatsOnlyOfForgotten().inOrder();
    assertThat(forgotten.repeats()).hasSize(1);
    assertThatThrownBy(known::repeatsOnlyOfForgotten).isInstanceOf(AssertionError.class);
    assertThatThrownBy(known::inOrder).isInstanceOf(AssertionError.class);
  }

  private static Checker checker(List<String> first, List<String> again, List<Row> rows) {
    List<String> lines = new ArrayList<>(first);
    lines.addAll(again);
    return new Checker(History.parse(Map.of("x", lines)), rows);
  }
}
