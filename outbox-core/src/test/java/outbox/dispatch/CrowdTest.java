package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.model.EventKind;
import outbox.poller.Demand;

class CrowdTest {

  private static final EventKind STUCK = new EventKind("Order", "Stuck");
  private static final EventKind ALIVE = new EventKind("Order", "Alive");
  private static final int ANY = Integer.MAX_VALUE;
  private static final long MOMENT = Duration.ofMillis(100).toNanos();

  private final Crowd crowd = new Crowd(100);
  private long now;

  private Demand demand() {
    return crowd.demand(true, ANY, now);
  }

  /** Fetches what is wanted until nothing more is. */
  private void fill(EventKind kind) {
    for (Demand demand = demand(); demand.most() > 0; demand = demand()) {
      crowd.count(kind, demand.most());
    }
  }

  @Test
  void onlyKindThereIsMayHaveAllTheRoom() {
    crowd.count(STUCK, 30);
    Demand some = crowd.demand(false, ANY, now);
    crowd.count(STUCK, 70);

    assertThat(some).isEqualTo(Demand.of(70));
    assertThat(crowd.demand(false, ANY, now)).isEqualTo(Demand.of(0));
    assertThat(crowd.isCrowded(STUCK, false)).isFalse();
  }

  @Test
  void anyKindLeavesHalfOfTheRoomToOthers() {
    fill(STUCK);

    assertThat(crowd.isCrowded(STUCK, true)).isTrue();
    assertThat(crowd.isCrowded(ALIVE, true)).isFalse();
    assertThat(crowd.demand(false, ANY, now).most()).isEqualTo(50);
  }

  @Test
  void kindThatStaysCrowdedIsHeldBackAndOthersAreWanted() {
    fill(STUCK);
    assertThat(demand()).isEqualTo(new Demand(0, 50, Set.of(), 0));

    now += MOMENT;

    assertThat(demand()).isEqualTo(new Demand(25, 25, Set.of(STUCK), 50));
    fill(ALIVE);
    assertThat(crowd.isCrowded(new EventKind("Order", "Third"), true)).isFalse();
  }

  @Test
  void kindThatGetsOnIsNotHeldBack() {
    fill(STUCK);
    crowd.count(STUCK, -20);
    assertThat(demand().most()).isEqualTo(20);

    now += MOMENT;

    assertThat(demand().except()).isEmpty();
  }

  @Test
  void itsRoomIsToldOfOnce() {
    fill(STUCK);
    demand();
    now += MOMENT;
    assertThat(demand().except()).containsExactly(STUCK);

    assertThat(crowd.count(STUCK, -16)).isFalse();
    assertThat(crowd.count(STUCK, -1)).isTrue();
    assertThat(crowd.count(STUCK, -1)).isFalse();
    assertThat(demand().except()).isEmpty();
  }

  @Test
  void fewerMayWaitWhereThePollerFetchesThemAgain() {
    Demand first = crowd.demand(true, 20, now);
    crowd.count(STUCK, first.most());
    Demand none = crowd.demand(true, 20, now);
    now += MOMENT;

    Demand others = crowd.demand(true, 20, now);

    assertThat(first.most()).isEqualTo(10);
    assertThat(none.most()).isZero();
    assertThat(others).isEqualTo(new Demand(10, 10, Set.of(STUCK), 10));
  }

  @Test
  void kindsWithoutEventsAreForgotten() {
    for (int i = 0; i < 10_000; i++) {
      EventKind kind = new EventKind("Order", "Type" + i);
      crowd.count(kind, 1);
      crowd.count(kind, -1);
    }

    assertThat(demand().most()).isEqualTo(50);
  }
}
