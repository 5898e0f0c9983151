package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.dispatch.AsyncSlotsTest.hot;
import static outbox.dispatch.AsyncSlotsTest.take;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import outbox.AsyncEventListener;

/** How one tells of a listener that it gets nowhere. */
class AsyncStallsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FairQueue queue = new FairQueue(1000, 1000);
  private final AtomicLong nanos = new AtomicLong();
  private final AsyncSlots slots = new AsyncSlots(queue, 3, nanos::get);
  private final AsyncEventListener one = AsyncSlotsTest.listener();
  private final AsyncEventListener other = AsyncSlotsTest.listener();

  private Passenger waiting(AsyncEventListener listener) {
    Passenger passenger = new Passenger(hot(), listener);
    assertThat(slots.take(listener, 1, passenger)).isZero();
    return passenger;
  }

  @Test
  void listenerThatHasEnoughForLongGetsNowhereThoughItGivesSlotsBack() {
    take(slots, one, 1);
    Passenger held = new Passenger(hot(), one);
    for (int i = 0; i < 5; i++) {
      slots.hold(one, held, slots.returned());
      nanos.addAndGet(SECOND.dividedBy(4).toNanos());
      slots.answered(one, 1, Duration.ZERO);
      assertThat(queue.take()).isSameAs(held);
      assertThat(slots.take(one, 1, held)).isEqualTo(1);
    }
    slots.hold(one, held, slots.returned());

    assertThat(slots.stalls(SECOND))
        .containsExactly(new AsyncSlots.Stall(one, Duration.ZERO, Duration.ofMillis(1250)));
  }

  @Test
  void listenerStallsWhileSomethingWaitsAndNothingComesBack() {
    take(slots, one, 3);
    nanos.addAndGet(SECOND.toNanos());
    assertThat(slots.stalls(SECOND)).isEmpty();

    waiting(one);
    assertThat(slots.stalls(SECOND))
        .containsExactly(new AsyncSlots.Stall(one, SECOND, Duration.ZERO));

    waiting(one);
    slots.answered(one, 1, Duration.ZERO);
    assertThat(slots.stalls(SECOND)).isEmpty();
  }

  @Test
  void listenerThatGetsNoSlotStallsHoweverMuchComes() {
    take(slots, one, 3);
    waiting(other);
    nanos.addAndGet(SECOND.toNanos());

    waiting(other);

    assertThat(slots.stalls(SECOND))
        .containsExactly(new AsyncSlots.Stall(other, SECOND, Duration.ZERO));
  }

  @Test
  void slotThatWasNotUsedIsNoSignOfLife() {
    take(slots, one, 3);
    waiting(one);
    waiting(one);
    nanos.addAndGet(SECOND.toNanos());

    slots.leave(one, 1);

    assertThat(slots.stalls(SECOND)).hasSize(1);
  }

  @Test
  void listenerIsStuckOnceItHasGivenNothingBackForLongAndMayHaveNoMore() {
    take(slots, one, 3);
    slots.answered(one, 1, Duration.ZERO);
    take(slots, one, 1);
    nanos.addAndGet(SECOND.toNanos() - 1);
    assertThat(slots.isStuck(one, SECOND)).isFalse();

    nanos.addAndGet(1);
    assertThat(slots.isStuck(one, SECOND)).isTrue();
    assertThat(slots.isStuck(other, SECOND)).isFalse();

    slots.answered(one, 1, Duration.ZERO);
    assertThat(slots.isStuck(one, SECOND)).isFalse();
  }

  @Test
  void listenerThatHasNeverGivenAnythingBackIsStuckSooner() {
    take(slots, one, 3);
    nanos.addAndGet(SECOND.toNanos() / 10 - 1);
    assertThat(slots.isStuck(one, SECOND)).isFalse();

    nanos.addAndGet(1);
    assertThat(slots.isStuck(one, SECOND)).isTrue();
  }

  @Test
  void listenerThatMayHaveMoreIsNotStuckHoweverLongItTakes() {
    take(slots, one, 1);
    nanos.addAndGet(SECOND.toNanos());

    assertThat(slots.isStuck(one, SECOND)).isFalse();
  }

  @Test
  void listenerThatIsAlwaysSlowIsNotStuckBeforeItTakesMuchLonger() {
    for (int i = 0; i < 2; i++) {
      take(slots, one, 3);
      nanos.addAndGet(2 * SECOND.toNanos());
      slots.answered(one, 2, SECOND.multipliedBy(2));
      slots.answered(one, 1, SECOND.multipliedBy(2));
    }
    take(slots, one, 3);

    nanos.addAndGet(5 * SECOND.toNanos());
    assertThat(slots.isStuck(one, SECOND)).isFalse();
    nanos.addAndGet(SECOND.toNanos());
    assertThat(slots.isStuck(one, SECOND)).isTrue();
  }

  @Test
  void manyAnswersAtOnceTellTheSameAsOne() {
    AsyncSlots many = new AsyncSlots(queue, 256, nanos::get);
    take(many, one, 64);
    nanos.addAndGet(5 * SECOND.toNanos());
    for (int i = 0; i < 64; i++) {
      nanos.incrementAndGet();
      many.answered(one, 1, SECOND.multipliedBy(5).plusNanos(i));
    }

    take(many, one, 224);
    nanos.addAndGet(14 * SECOND.toNanos());

    assertThat(many.isStuck(one, SECOND)).isFalse();
  }

  @Test
  void listenerThatHasBecomeFastIsStuckSoonerAgain() {
    take(slots, one, 3);
    slots.answered(one, 1, SECOND);
    nanos.addAndGet(SECOND.toNanos());
    slots.answered(one, 1, SECOND.dividedBy(100));
    nanos.addAndGet(SECOND.toNanos());
    slots.answered(one, 1, SECOND.dividedBy(100));

    take(slots, one, 3);
    nanos.addAndGet(SECOND.toNanos());

    assertThat(slots.isStuck(one, SECOND)).isTrue();
  }

  @Test
  void listenerThatIsCutOffTimeAndAgainIsNotTakenForOneThatIsAlwaysSlow() {
    for (int i = 0; i < 10; i++) {
      take(slots, one, 3);
      nanos.addAndGet(30 * SECOND.toNanos());
      slots.giveBack(one, 3);
    }
    take(slots, one, 3);
    waiting(one);

    nanos.addAndGet(SECOND.toNanos());

    assertThat(slots.isStuck(one, SECOND)).isTrue();
    assertThat(slots.stalls(SECOND)).hasSize(1);
  }

  @Test
  void oneLateAnswerIsNotTakenForAHabit() {
    take(slots, one, 3);
    nanos.addAndGet(30 * SECOND.toNanos());
    slots.answered(one, 2, SECOND.multipliedBy(30));
    take(slots, one, 2);
    waiting(one);

    nanos.addAndGet(3 * SECOND.toNanos());

    assertThat(slots.isStuck(one, SECOND)).isTrue();
    assertThat(slots.stalls(SECOND)).hasSize(1);
  }

  @Test
  void listenerThatWasIdleIsStillKnown() {
    take(slots, one, 3);
    slots.answered(one, 3, Duration.ZERO);
    assertThat(slots.listeners()).isZero();

    take(slots, one, 3);
    nanos.addAndGet(SECOND.toNanos() - 1);

    assertThat(slots.isStuck(one, SECOND)).isFalse();
  }

  @Test
  void timeThatTheProcessStoodStillIsNobodysFault() {
    take(slots, one, 3);
    waiting(one);
    nanos.addAndGet(60 * SECOND.toNanos());

    slots.stoodStill();

    assertThat(slots.isStuck(one, SECOND)).isFalse();
    assertThat(slots.stalls(SECOND)).isEmpty();
  }

  @Test
  void listenerThatHasHadEnoughForLongIsStuckThoughItIsAskedAgain() {
    take(slots, one, 1);
    for (int i = 0; i < 5; i++) {
      slots.hold(one, new Passenger(hot(), one), slots.returned());
      nanos.addAndGet(SECOND.toNanos() / 4);
      slots.askAgain();
    }

    assertThat(slots.isStuck(one, SECOND)).isTrue();
  }
}
