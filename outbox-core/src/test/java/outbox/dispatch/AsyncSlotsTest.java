package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;

@Timeout(120)
class AsyncSlotsTest {

  private final FairQueue queue = new FairQueue(10, 10);
  private final AsyncSlots slots = new AsyncSlots(queue, 3);

  private static Delivery hot() {
    EventEnvelope envelope = EventEnvelope.ofJson("T", "{}");
    return new Delivery(
        new QueuedEvent(envelope, QueuedEvent.Source.HOT, 0), InFlight.Hold.NONE, null);
  }

  @Test
  void noMoreThanThereAreAreGranted() {
    assertThat(slots.take(2, hot())).isEqualTo(2);
    assertThat(slots.take(2, hot())).isEqualTo(1);
    assertThat(slots.take(1, hot())).isZero();
  }

  @Test
  void whatFoundNoneIsQueuedAgainWhenThereIsOne() {
    slots.take(3, hot());
    Delivery first = hot();
    Delivery second = hot();
    slots.take(1, first);
    slots.take(1, second);
    assertThat(queue.hotDepth()).isEqualTo(2);

    slots.giveBack(1);

    assertThat(queue.take()).isSameAs(first);
    assertThat(slots.take(1, first)).isEqualTo(1);
    slots.giveBack(1);
    assertThat(queue.take()).isSameAs(second);
  }

  @Test
  void whatWaitsCanBeTakenOutForGood() {
    slots.take(3, hot());
    Delivery waiting = hot();
    slots.take(1, waiting);

    assertThat(slots.drain()).containsExactly(waiting);

    assertThat(queue.hotDepth()).isZero();
    assertThat(slots.take(1, hot())).isNegative();
  }

  @Test
  void idleIsWaitedForButNotForEver() {
    slots.take(1, hot());
    slots.awaitIdle(System.nanoTime() + Duration.ofMillis(10).toNanos());
    Thread other = new Thread(() -> slots.giveBack(1));

    other.start();
    slots.awaitIdle(System.nanoTime() + Duration.ofSeconds(20).toNanos());

    assertThat(List.of(slots.take(3, hot()))).containsExactly(3);
  }
}
