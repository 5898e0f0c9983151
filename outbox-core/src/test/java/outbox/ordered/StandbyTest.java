package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.dispatch.QueuedEvent;

class StandbyTest {

  private final AtomicLong nanos = new AtomicLong();
  private final Standby standby = new Standby(nanos::get);
  private final HeldUp heldUp = new HeldUp();
  private final Set<String> away = new HashSet<>();

  @BeforeEach
  void start() {
    heldUp.start((aggregateType, eventType) -> away.contains(aggregateType + "/" + eventType));
  }

  private static Entry event(String aggregateType, String eventType) {
    EventEnvelope event =
        EventEnvelope.builder(eventType).aggregateType(aggregateType).payloadJson("{}").build();
    QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.COLD, 0);
    return new Entry(1, queued, Instant.EPOCH, Instant.EPOCH, null);
  }

  private Lane waiting(String aggregateType, String eventType) {
    Entry next = event(aggregateType, eventType);
    Lane lane = new Lane(next.eventId(), null, 0);
    standBy(lane, next);
    heldUp.meets(HeldUp.Kind.of(next));
    return lane;
  }

  private void standBy(Lane lane, Entry next) {
    lane.waitFor(Lane.Wait.forListener(next));
    standby.add(lane, HeldUp.Kind.of(next));
  }

  private List<Lane> waiting(int count) {
    return IntStream.range(0, count).mapToObj(i -> waiting("Order", "Paid")).toList();
  }

  private List<Lane> release(String... stillAway) {
    away.clear();
    away.addAll(List.of(stillAway));
    heldUp.ask();
    return standby.release(heldUp);
  }

  @Test
  void lanesAreReleasedByTheKindThatTheyWaitFor() {
    Lane shipped = waiting("Order", "Shipped");
    Lane paid = waiting("Order", "Paid");
    Lane cartPaid = waiting("Cart", "Paid");
    assertThat(shipped.isStandingBy()).isTrue();

    assertThat(release("Order/Paid", "Cart/Paid")).containsExactly(shipped);
    assertThat(release("Order/Paid")).containsExactly(cartPaid);
    assertThat(release()).containsExactly(paid);
    assertThat(List.of(shipped, paid, cartPaid)).noneMatch(Lane::isStandingBy);
  }

  @Test
  void fewAreReleasedFirstAndMoreTheBetterTheyGetOn() {
    List<Lane> lanes = waiting(100);

    assertThat(release()).isEqualTo(lanes.subList(0, 10));
    assertThat(release()).isEmpty();
    lanes.subList(0, 4).forEach(standby::remove);
    assertThat(release()).isEmpty();
    lanes.subList(4, 5).forEach(standby::remove);
    assertThat(release()).isEqualTo(lanes.subList(10, 25));
    lanes.subList(5, 25).forEach(standby::remove);
    assertThat(release()).isEqualTo(lanes.subList(25, 65));
  }

  @Test
  void noMoreAreReleasedWhileMostOfTheLastHaveNotGotAnywhere() {
    List<Lane> lanes = waiting(100);
    release();
    lanes.subList(0, 10).forEach(standby::remove);
    release();

    release("Order/Paid");
    assertThat(release()).isEmpty();

    lanes.subList(10, 30).forEach(standby::remove);
    assertThat(release()).as("few again").isEqualTo(lanes.subList(30, 40));
  }

  @Test
  void thoseThatTakeLongHoldUpTheOthersNoMore() {
    List<Lane> lanes = waiting(100);
    release();
    assertThat(release()).isEmpty();

    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(release()).isEqualTo(lanes.subList(10, 30));

    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    assertThat(release()).isEqualTo(lanes.subList(30, 70));
  }

  @Test
  void afterAMomentOfTroubleHalfAsManyAreReleased() {
    List<Lane> lanes = waiting(200);
    for (int from = 0, next = 10; next <= 40; from += next, next *= 2) {
      assertThat(release()).isEqualTo(lanes.subList(from, from + next));
      lanes.subList(from, from + next).forEach(standby::remove);
    }

    release("Order/Paid");
    release("Order/Paid");

    assertThat(release()).isEqualTo(lanes.subList(70, 90));
  }

  @Test
  void itIsToldWhenMoreCanFollow() {
    List<Lane> lanes = waiting(20);
    release();

    assertThat(lanes.subList(0, 4)).noneMatch(standby::remove);
    assertThat(standby.remove(lanes.get(4))).isTrue();
    assertThat(lanes.subList(5, 10)).noneMatch(standby::remove);
  }

  @Test
  void laneThatIsHeldUpAgainIsNoLongerOneThatWasLetGo() {
    List<Lane> lanes = waiting(30);
    List<Lane> first = release();

    first.forEach(lane -> standBy(lane, event("Order", "Paid")));

    release("Order/Paid");
    assertThat(release()).isEqualTo(lanes.subList(10, 20));
  }

  @Test
  void whatIsRemovedIsNotReleased() {
    Lane lane = waiting("Order", "Paid");

    standby.remove(lane);
    standby.remove(lane);

    assertThat(standby.isEmpty()).isTrue();
    assertThat(release()).isEmpty();
  }
}
