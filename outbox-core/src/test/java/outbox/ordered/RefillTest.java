package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
  void forManyEverythingIsReadFromTheLowestOn() {
    List<Lane> lanes = lanes(50, 151);

    Refill refill = Refill.of(lanes, 1000, 1000);

    assertThat(refill.keys()).isEmpty();
    assertThat(refill.ids()).hasSize(101);
    assertThat(refill.after()).isEqualTo(49);
    assertThat(refill.reached(60)).isEqualTo(lanes.subList(0, 11));
    assertThat(refill.reached(1000)).isEqualTo(lanes);
  }

  @Test
  void whoeverWaitsForLongestIsReadForHoweverManyComeBelow() {
    List<Lane> lanes = new ArrayList<>(lanes(500, 501));
    lanes.addAll(lanes(1, 200));
    lanes.addAll(lanes(501, 600));

    Refill refill = Refill.of(lanes, 1000, 1000);

    assertThat(refill.after()).isEqualTo(499);
    assertThat(refill.lanes()).hasSize(100).startsWith(lanes.get(0));
  }

  @Test
  void readThatReachesNobodyLetsOthersGoFirst() {
    List<Lane> lanes = lanes(50, 60);

    assertThat(Refill.of(lanes, 10, 1000).reached(20)).isEqualTo(lanes);
  }

  @Test
  void whereTheReadBeginsBelowThemItIsForFew() {
    List<Lane> lanes = lanes(50, 151);

    Refill refill = Refill.of(lanes, 48, 1000);

    assertThat(refill.lanes()).isEqualTo(lanes.subList(0, 100));
    assertThat(refill.keys()).hasSize(100);
    assertThat(refill.after()).isEqualTo(48);
  }
}
