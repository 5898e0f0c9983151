package outbox.faults.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.History;

/** What is measured is what the history says. */
class TrafficTest {

  @Test
  void busiestTimeIsTheOneInWhichMostCallsBegan() {
    History history =
        History.parse(
            Map.of(
                "x",
                    List.of(
                        "10 begin 1 e1 a 1 0 0",
                        "12 end 1 true",
                        "20 begin 2 e2 b 1 0 0",
                        "29 begin 3 e3 c 1 0 0",
                        "30 end 2 false",
                        "31 end 3 false"),
                "y", List.of("24 begin 1 e2 b 1 0 0", "25 end 1 true")));
    Traffic traffic = new Traffic(history);

    assertThat(traffic.busiest(Duration.ofNanos(10), 0, 100)).isEqualTo(3);
    assertThat(traffic.busiest(Duration.ofNanos(5), 0, 100)).isEqualTo(2);
    assertThat(traffic.busiest(Duration.ofNanos(100), 0, 100)).isEqualTo(4);
    assertThat(traffic.busiest(Duration.ofNanos(100), 10, 24)).isEqualTo(2);
    assertThat(traffic.busiest(Duration.ofNanos(100), 50, 100)).isZero();
    assertThat(traffic.failures(0, 31)).isEqualTo(1);
    assertThat(traffic.failures(30, 32)).isEqualTo(2);
    assertThat(traffic.mostTries()).isEqualTo(2);
  }

  @Test
  void longestListIsTheLongestOfAll() {
    History history =
        History.parse(
            Map.of(
                "x", List.of("1 take 1", "2 begin 1 e1 a 1 0 0", "3 end 1 true"),
                "y", List.of("1 take 7", "9 take 3")));

    assertThat(new Traffic(history).longestList()).isEqualTo(7);
    assertThat(new Traffic(History.parse(Map.of())).longestList()).isZero();
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
  void whatWasLeftFromBeforeIsNoThroughputAndCatchingUpIsNoExcuse() {
    History history =
        History.parse(
            Map.of(
                "w",
                    List.of(
                        "1 write 1 e1 a 1 e2 a 2",
                        "2 commit 1",
                        "10 write 2 e3 b 1",
                        "11 commit 2",
                        "12 write 3 e4 b 2",
                        "13 commit 3",
                        "19 write 4 e5 c 1",
                        "19 commit 4"),
                "x",
                    List.of(
                        "12 begin 1 e1 a 1 0 0",
                        "13 end 1 true",
                        "14 begin 2 e2 a 2 0 0",
                        "15 end 2 true",
                        "16 begin 3 e3 b 1 0 0",
                        "18 end 3 true",
                        "21 begin 4 e4 b 2 0 0",
                        "22 end 4 true")));
    Traffic traffic = new Traffic(history);

    assertThat(traffic.share(10, 20, event -> !event.key().equals("c"))).isEqualTo(0.5);
    assertThat(traffic.slowest(10, 20, event -> event.key().equals("b")))
        .isEqualTo(Duration.ofNanos(9));
    assertThat(traffic.slowest(0, 10, event -> true)).isEqualTo(Duration.ofNanos(13));
    assertThat(traffic.slowest(10, 20, event -> true)).isEqualTo(ChronoUnit.FOREVER.getDuration());
    assertThat(traffic.slowest(20, 30, event -> true)).isEqualTo(ChronoUnit.FOREVER.getDuration());
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
  void pauseCannotBeToldOfEventsThatWereTriedOnce() {
    Traffic traffic =
        new Traffic(History.parse(Map.of("x", List.of("1 begin 1 e1 a 1 0 0", "2 end 1 true"))));

    assertThatThrownBy(traffic::shortestPause).hasMessage("no event was tried twice");
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
