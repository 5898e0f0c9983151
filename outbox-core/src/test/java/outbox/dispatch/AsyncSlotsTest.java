package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.AsyncEventListener;
import outbox.EventEnvelope;

@Timeout(120)
class AsyncSlotsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FairQueue queue = new FairQueue(1000, 1000);
  private final AtomicLong nanos = new AtomicLong();
  private final AsyncSlots slots = slots(3);
  private final AsyncEventListener one = listener();
  private final AsyncEventListener other = listener();
  private final AsyncEventListener third = listener();

  private AsyncSlots slots(int total) {
    return new AsyncSlots(queue, total, nanos::get);
  }

  /** Of which one has a slot, and has given one back. */
  private AsyncSlots proven(int total) {
    AsyncSlots proven = slots(total);
    take(proven, one, 2);
    proven.answered(one, 1, Duration.ZERO);
    return proven;
  }

  /** Each with an identity of its own. */
  static AsyncEventListener listener() {
    return new AsyncEventListener() {
      @Override
      public CompletionStage<?> onEventAsync(EventEnvelope event) {
        throw new AssertionError("not to be called");
      }
    };
  }

  static Delivery hot() {
    EventEnvelope envelope = EventEnvelope.ofJson("T", "{}");
    return new Delivery(
        new QueuedEvent(envelope, QueuedEvent.Source.HOT, 0), InFlight.Hold.NONE, null);
  }

  static int take(AsyncSlots from, AsyncEventListener listener, int wanted) {
    return from.take(listener, wanted, new Passenger(hot(), listener));
  }

  private Passenger waiting(AsyncEventListener listener) {
    Passenger passenger = new Passenger(hot(), listener);
    assertThat(slots.take(listener, 1, passenger)).isZero();
    return passenger;
  }

  @Test
  void noMoreThanThereAreAreGranted() {
    assertThat(take(slots, one, 2)).isEqualTo(2);
    assertThat(take(slots, one, 2)).isEqualTo(1);
    assertThat(take(slots, one, 1)).isZero();
  }

  @Test
  void listenerThatHasEnoughIsAskedAgainWheneverSlotsComeBack() {
    take(slots, other, 2);
    Passenger held = new Passenger(hot(), one);
    slots.hold(one, held, slots.returned());
    assertThat(queue.hotDepth()).isEqualTo(1);

    slots.answered(other, 1, Duration.ZERO);

    assertThat(queue.take()).isSameAs(held);
    slots.hold(one, held, slots.returned());
    slots.answered(other, 1, Duration.ZERO);
    assertThat(queue.take()).isSameAs(held);
    assertThat(slots.take(one, 1, held)).isEqualTo(1);
  }

  @Test
  void listenerThatGaveSomethingBackJustAfterItSaidThatItHasEnoughIsAskedAgain() {
    take(slots, one, 1);
    Passenger held = new Passenger(hot(), one);
    long before = slots.returned();
    slots.answered(one, 1, Duration.ZERO);

    slots.hold(one, held, before);

    assertThat(queue.take()).isSameAs(held);
  }

  @Test
  void listenerThatHasEnoughWithoutHavingAnythingIsAskedAgain() {
    Passenger held = new Passenger(hot(), one);
    slots.hold(one, held, slots.returned());

    slots.askAgain();

    assertThat(queue.take()).isSameAs(held);
    slots.hold(one, held, slots.returned());
    assertThat(take(slots, other, 3)).as("the slot that it had is free again").isEqualTo(1);
    slots.askAgain();
    assertThat(queue.take()).isSameAs(held);
  }

  @Test
  void listenerThatHasGivenNoneBackYetGetsAQuarter() {
    AsyncSlots many = slots(256);
    assertThat(take(many, one, 1000)).isEqualTo(64);
    assertThat(take(many, other, 1000)).isEqualTo(64);
    nanos.addAndGet(SECOND.toNanos());
    many.answered(other, 64, Duration.ZERO);
    assertThat(take(many, one, 1)).as("though it is alone by now").isZero();
    assertThat(take(slots(8), one, 1000)).isEqualTo(2);
    assertThat(take(slots(7), one, 1000)).isEqualTo(7);
    assertThat(take(slots(1), one, 1000)).isEqualTo(1);
  }

  @Test
  void listenerThatHasGivenNoneBackYetGetsMoreIfNobodyElseComes() {
    AsyncSlots many = slots(256);
    assertThat(take(many, one, 1000)).isEqualTo(64);
    assertThat(take(many, one, 1)).isZero();
    nanos.addAndGet(SECOND.toNanos());

    many.askAgain();

    assertThat(queue.drain()).hasSize(1);
    assertThat(take(many, one, 1000)).isEqualTo(224 - 65);
  }

  @Test
  void listenerThatIsAloneLeavesAnEighthForOthers() {
    assertThat(1 + take(proven(256), one, 1000)).isEqualTo(224);
    assertThat(1 + take(proven(16), one, 1000)).isEqualTo(14);
  }

  @Test
  void besideOthersAListenerGetsNoMoreThanItLeaves() {
    AsyncSlots many = proven(256);
    assertThat(1 + take(many, one, 1000)).isEqualTo(224);

    assertThat(take(many, other, 1000)).isEqualTo(16);
    assertThat(take(many, third, 1000)).isEqualTo(8);
    assertThat(take(many, listener(), 1)).isEqualTo(1);
    assertThat(take(many, one, 1)).isZero();
  }

  @Test
  void twoThatAreBusyGetAThirdEach() {
    AsyncSlots many = proven(256);
    take(many, other, 2);
    many.answered(other, 1, Duration.ZERO);
    int granted = 2;

    for (int more = 1; more > 0; granted += more) {
      more = take(many, one, 1) + take(many, other, 1);
    }

    assertThat(granted).isEqualTo(170);
  }

  @Test
  void whoHasNoneGetsTheLastOne() {
    take(slots, one, 1);
    take(slots, other, 1);

    assertThat(take(slots, one, 1)).isZero();
    assertThat(take(slots, third, 1)).isEqualTo(1);
  }

  @Test
  void whatFoundNoneIsQueuedAgainWithASlotInItsHands() {
    take(slots, one, 3);
    Passenger first = waiting(one);
    Passenger second = waiting(one);
    assertThat(queue.hotDepth()).isEqualTo(2);

    slots.answered(one, 1, Duration.ZERO);

    assertThat(queue.drain()).containsExactly(first.delivery());
    assertThat(slots.take(one, 1, first)).isEqualTo(1);
    slots.answered(one, 1, Duration.ZERO);
    assertThat(queue.drain()).containsExactly(second.delivery());
  }

  @Test
  void linesAreCalledInTurnAndEachInItsOrder() {
    take(slots, third, 3);
    List<Passenger> ones = List.of(waiting(one), waiting(one), waiting(one));
    List<Passenger> others = List.of(waiting(other), waiting(other));

    slots.answered(third, 1, Duration.ZERO);

    for (Passenger next :
        List.of(ones.get(0), others.get(0), ones.get(1), others.get(1), ones.get(2))) {
      assertThat(queue.drain()).containsExactly(next.delivery());
      slots.take(next.listener(), 1, next);
      slots.answered(next.listener(), 1, Duration.ZERO);
    }
  }

  @Test
  void slotOfWhoeverDoesNotComeForItGoesToTheNext() {
    take(slots, third, 3);
    Passenger lost = waiting(one);
    Passenger next = waiting(other);
    slots.answered(third, 1, Duration.ZERO);
    assertThat(queue.drain()).containsExactly(lost.delivery());

    slots.forgo(lost);

    assertThat(queue.drain()).containsExactly(next.delivery());
    assertThat(slots.take(other, 1, next)).isEqualTo(1);
  }

  @Test
  void calledWorkKeepsItsSlotThoughItsListenerMayHaveNoMoreByNow() {
    take(slots, one, 3);
    Passenger called = waiting(one);
    slots.answered(one, 2, Duration.ZERO);
    assertThat(take(slots, other, 1)).isEqualTo(1);
    assertThat(take(slots, one, 1)).isZero();

    assertThat(slots.take(one, 1, called)).isEqualTo(1);
  }

  @Test
  void whoWaitedForAnotherToGoIsCalledWhenItHasGone() {
    AsyncSlots many = proven(16);
    take(many, one, 4);
    take(many, other, 2);
    many.answered(other, 1, Duration.ZERO);
    take(many, other, 4);
    Passenger capped = new Passenger(hot(), one);
    assertThat(many.take(one, 1, capped)).isZero();

    many.answered(other, 5, Duration.ZERO);

    assertThat(queue.drain()).containsExactly(capped.delivery());
  }

  @Test
  void batchThatWasCalledGetsMoreIfThereIsMoreByNow() {
    Gathering batch = new Gathering((events, result) -> {});
    take(slots, one, 3);
    assertThat(slots.take(batch.listener, 10, batch)).isZero();
    slots.answered(one, 3, Duration.ZERO);
    assertThat(queue.take()).isSameAs(batch);

    assertThat(slots.take(batch.listener, 10, batch)).isEqualTo(3);
  }

  @Test
  void batchWithNothingLeftToSendDoesNotWait() {
    Gathering batch = new Gathering((events, result) -> {});
    take(slots, one, 3);

    assertThat(slots.take(batch.listener, 0, batch)).isZero();

    assertThat(slots.listeners()).isEqualTo(1);
  }

  @Test
  void listenersWithoutSlotsAreForgotten() {
    for (int i = 0; i < 1000; i++) {
      AsyncEventListener passing = listener();
      assertThat(take(slots, passing, 1)).isEqualTo(1);
      slots.answered(passing, 1, Duration.ZERO);
    }
    take(slots, one, 3);
    Passenger waited = waiting(other);
    assertThat(slots.listeners()).isEqualTo(2);

    assertThat(slots.takeOut(other, delivery -> true)).containsExactly(waited.delivery());
    slots.answered(one, 3, Duration.ZERO);

    assertThat(slots.listeners()).isZero();
    assertThat(queue.hotDepth()).isZero();
  }

  @Test
  void whatWaitsCanBeTakenOutForGood() {
    take(slots, one, 3);
    Passenger called = waiting(one);
    Passenger left = waiting(one);
    slots.answered(one, 1, Duration.ZERO);

    assertThat(slots.drain()).containsExactly(left.delivery());

    assertThat(queue.drain()).containsExactly(called.delivery());
    assertThat(queue.hotDepth()).isZero();
    assertThat(slots.take(one, 1, called)).isNegative();
    slots.answered(one, 2, Duration.ZERO);
    slots.awaitIdle(System.nanoTime() + Duration.ofDays(1).toNanos());
  }

  @Test
  void idleIsWaitedForButNotForEver() {
    take(slots, one, 1);
    slots.awaitIdle(System.nanoTime() + Duration.ofMillis(10).toNanos());
    Thread giver = new Thread(() -> slots.giveBack(one, 1));

    giver.start();
    slots.awaitIdle(System.nanoTime() + Duration.ofSeconds(20).toNanos());

    assertThat(take(slots, one, 3)).isEqualTo(3);
  }
}
