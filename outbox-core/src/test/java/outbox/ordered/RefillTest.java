package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import outbox.model.EventKey;

class RefillTest {

  /** Each misses events from its number on. */
  private static List<Lane> lanes(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(
            seq -> {
              EventKey key = new EventKey("Order", "order-" + seq);
              Lane lane = new Lane(key, key, 0);
              lane.missesFrom(seq);
              return lane;
            })
        .toList();
  }

  @Test
  void fewAreAskedForByTheirKeys() {
    Refill refill = Refill.of(lanes(50, 150), 1000, 1000);

    assertThat(refill.keys()).hasSize(100);
    assertThat(refill.after()).isEqualTo(49);
  }

  @Test
  void forManyEverythingIsRead() {
    List<Lane> lanes = lanes(50, 151);

    Refill refill = Refill.together(60, lanes, 1000);

    assertThat(refill.keys()).isEmpty();
    assertThat(refill.after()).isEqualTo(59);
    assertThat(refill.lanes()).isEqualTo(lanes.subList(10, 101));
    assertThat(refill.reached(70)).isEqualTo(lanes.subList(10, 21));
    assertThat(refill.reached(1000)).isEqualTo(lanes.subList(10, 101));
  }

  @Test
  void readThatReachesNobodyLetsOthersGoFirst() {
    List<Lane> lanes = lanes(50, 60);

    assertThat(Refill.of(lanes, 10, 1000).reached(20)).isEqualTo(lanes);
  }

  @Test
  void whoeverWaitsForLongestHasEveryOtherTurnHoweverManyComeBelow() {
    Refills refills = refills(lanes(500, 501));
    lanes(1, 200).forEach(refills::add);
    lanes(501, 700).forEach(refills::add);

    Refill lowest = next(refills, List.of(), 1000);
    Refill longest = next(refills, List.of(), 1000);

    assertThat(lowest.after()).isZero();
    assertThat(lowest.lanes()).hasSize(399);
    assertThat(longest.after()).isEqualTo(499);
    assertThat(longest.lanes()).hasSize(200);
  }

  @Test
  void whoeverIsUnderWayIsReadForAlongTheWay() {
    List<Lane> waiting = lanes(50, 60);
    List<Lane> underWay = lanes(20, 200);

    Refill refill = next(refills(waiting), underWay, 1000);

    assertThat(refill.after()).isEqualTo(49);
    assertThat(refill.lanes()).containsAll(waiting).containsAll(underWay.subList(30, 180));
    assertThat(refill.lanes()).doesNotContainAnyElementsOf(underWay.subList(0, 30));
  }

  @Test
  void whereThereAreFewThoseUnderWayAreNotReadFor() {
    List<Lane> waiting = lanes(50, 60);

    Refill refill = next(refills(waiting), lanes(60, 150), 1000);

    assertThat(refill.lanes()).isEqualTo(waiting);
    assertThat(refill.keys()).hasSize(10);
  }

  @Test
  void whereTheReadBeginsBelowThemItIsForFew() {
    List<Lane> lanes = lanes(50, 151);

    Refill refill = next(refills(lanes), List.of(), 48);

    assertThat(refill.lanes()).isEqualTo(lanes.subList(0, 100));
    assertThat(refill.keys()).hasSize(100);
    assertThat(refill.after()).isEqualTo(48);
  }

  private static Refills refills(List<Lane> waiting) {
    Refills refills = new Refills(LaneSettings.MOST_KEYS);
    waiting.forEach(refills::add);
    return refills;
  }

  private static Refill next(Refills refills, List<Lane> underWay, long settled) {
    return Objects.requireNonNull(refills.next(underWay, settled, 1000));
  }
}
