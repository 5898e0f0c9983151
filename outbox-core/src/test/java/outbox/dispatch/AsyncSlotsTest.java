package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;

@Timeout(120)
class AsyncSlotsTest {

  private static final String HANGING = "hanging";
  private static final String ALIVE = "alive";
  private static final String NEW = "new";

  private final FairQueue queue = new FairQueue(10, 10);
  private final AtomicLong nanos = new AtomicLong();
  private final AsyncSlots slots = slots(3);

  private AsyncSlots slots(int total) {
    return new AsyncSlots(queue, total, nanos::get);
  }

  private static Delivery hot() {
    EventEnvelope envelope = EventEnvelope.ofJson("T", "{}");
    return new Delivery(
        new QueuedEvent(envelope, QueuedEvent.Source.HOT, 0), InFlight.Hold.NONE, null);
  }

  /** As a worker does with it, for a listener that asks for a slot. */
  private int takeNext(AsyncSlots from, String listener) {
    Work next = queue.take();
    int granted = from.take(listener, 1, next);
    from.handled(next);
    return granted;
  }

  @Test
  void noMoreThanThereAreAreGranted() {
    assertThat(slots.take(ALIVE, 2, hot())).isEqualTo(2);
    assertThat(slots.take(ALIVE, 2, hot())).isEqualTo(1);
    assertThat(slots.take(ALIVE, 1, hot())).isZero();
  }

  @Test
  void whatFoundNoneIsQueuedAgainWhenThereIsOne() {
    slots.take(ALIVE, 3, hot());
    Delivery first = hot();
    Delivery second = hot();
    slots.take(ALIVE, 1, first);
    slots.take(ALIVE, 1, second);
    assertThat(queue.hotDepth()).isEqualTo(2);

    slots.giveBack(ALIVE, 1);

    assertThat(queue.take()).isSameAs(first);
    assertThat(slots.take(ALIVE, 1, first)).isEqualTo(1);
    slots.giveBack(ALIVE, 1);
    assertThat(queue.take()).isSameAs(second);
  }

  @Test
  void listenerThatEndsNothingLeavesSlotsToOthers() {
    AsyncSlots shared = slots(12);
    shared.expect(ALIVE);

    assertThat(shared.take(HANGING, 100, hot())).isEqualTo(4);
    assertThat(shared.take(HANGING, 1, hot())).isZero();

    for (int i = 0; i < 100; i++) {
      assertThat(shared.take(ALIVE, 3, hot())).isEqualTo(3);
      shared.giveBack(ALIVE, 3);
    }
    assertThat(shared.take(ALIVE, 100, hot())).isEqualTo(4);
    assertThat(shared.take(NEW, 100, hot())).isEqualTo(3);
  }

  @Test
  void listenerThatHadAllSlotsGetsItsShareOfThemWhenOthersCome() {
    AsyncSlots shared = slots(12);
    assertThat(shared.take(ALIVE, 100, hot())).isEqualTo(12);
    Delivery waiting = hot();
    assertThat(shared.take(NEW, 1, waiting)).isZero();
    shared.take(ALIVE, 1, hot());

    shared.giveBack(ALIVE, 1);

    assertThat(queue.drain()).containsExactly(waiting);
    assertThat(shared.take(NEW, 1, waiting)).isEqualTo(1);
    for (int i = 0; i < 7; i++) {
      shared.giveBack(ALIVE, 1);
      assertThat(queue.drain()).isEmpty(); // above its share, so its event waits on
    }
    shared.giveBack(ALIVE, 1);
    assertThat(takeNext(shared, ALIVE)).isEqualTo(1);
  }

  @Test
  void oneThatIsBusyAloneHasHalfOnceThereWereOthers() {
    AsyncSlots shared = slots(12);
    shared.take(NEW, 1, hot());
    shared.take(ALIVE, 1, hot());
    shared.giveBack(NEW, 1);
    assertThat(shared.take(ALIVE, 100, hot())).isEqualTo(3);

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    shared.giveBack(ALIVE, 4);

    assertThat(shared.take(ALIVE, 100, hot())).isEqualTo(6);
  }

  @Test
  void slotIsGivenToOneWhoMayHaveIt() {
    AsyncSlots shared = slots(6);
    shared.expect(ALIVE);
    shared.take(HANGING, 2, hot());
    shared.take(HANGING, 1, hot());
    shared.take(ALIVE, 2, hot());
    Delivery next = hot();
    assertThat(shared.take(ALIVE, 1, next)).isZero();

    shared.giveBack(ALIVE, 1);

    assertThat(queue.drain()).containsExactly(next);
  }

  @Test
  void slotIsNotLostOnWorkThatAsksForNoneAnyMore() {
    slots.take(ALIVE, 3, hot());
    Delivery changed = hot();
    Delivery next = hot();
    slots.take(ALIVE, 1, changed);
    slots.take(ALIVE, 1, next);
    slots.giveBack(ALIVE, 1);

    slots.handled(queue.take());

    assertThat(queue.drain()).containsExactly(next);
    assertThat(slots.take(ALIVE, 1, next)).isEqualTo(1);
  }

  @Test
  void slotIsKeptForWhatWasQueuedAgain() {
    slots.take(ALIVE, 3, hot());
    Delivery waiting = hot();
    slots.take(ALIVE, 1, waiting);
    slots.giveBack(ALIVE, 1);

    assertThat(slots.take(ALIVE, 1, hot())).isZero();
    assertThat(takeNext(slots, ALIVE)).isEqualTo(1);
  }

  @Test
  void whatWaitsCanBeTakenOutForGood() {
    slots.take(ALIVE, 3, hot());
    Delivery waiting = hot();
    Delivery others = hot();
    slots.take(ALIVE, 1, waiting);
    slots.take(NEW, 1, others);

    assertThat(slots.drain()).containsExactly(waiting, others);

    assertThat(queue.hotDepth()).isZero();
    assertThat(slots.take(ALIVE, 1, hot())).isNegative();
  }

  @Test
  void idleIsWaitedForButNotForEver() {
    slots.take(ALIVE, 1, hot());
    slots.awaitIdle(System.nanoTime() + Duration.ofMillis(10).toNanos());
    Thread other = new Thread(() -> slots.giveBack(ALIVE, 1));

    other.start();
    slots.awaitIdle(System.nanoTime() + Duration.ofSeconds(20).toNanos());

    assertThat(List.of(slots.take(ALIVE, 3, hot()))).containsExactly(3);
  }
}
