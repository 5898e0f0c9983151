package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import outbox.AsyncBatchEventListener;
import outbox.AsyncEventListener;
import outbox.EventEnvelope;

class DeferrerTest {

  private static final Duration ALMOST = Deferrer.MOMENT.minusNanos(1);

  private final AtomicLong nanos = new AtomicLong();
  private final FairQueue queue = new FairQueue(4, 4);
  private final AsyncSlots slots = new AsyncSlots(queue, 2, nanos::get);
  private final Gatherings gatherings = new Gatherings(queue);
  private final AsyncEventListener hung = AsyncSlotsTest.listener();
  private final AsyncEventListener other = AsyncSlotsTest.listener();
  private final List<Delivery> putOff = new ArrayList<>();
  private final List<AsyncSlots.Stall> stalls = new ArrayList<>();
  private final Deferrer deferrer =
      new Deferrer(
          slots,
          gatherings,
          delivery -> queue.isHalfFull(delivery.isHot()),
          (events, stall) -> {
            putOff.addAll(events);
            stalls.add(stall);
          },
          nanos::get);

  private Delivery event(QueuedEvent.Source source) {
    EventEnvelope envelope = EventEnvelope.ofJson("T", "{}");
    return new Delivery(
        new QueuedEvent(envelope, source, 0), InFlight.Hold.NONE, null, null, nanos.get());
  }

  private Delivery waiting(AsyncEventListener listener) {
    Delivery event = event(QueuedEvent.Source.COLD);
    assertThat(slots.take(listener, 1, new Passenger(event, listener))).isZero();
    return event;
  }

  private void hang(AsyncEventListener listener, int events) {
    Passenger first = new Passenger(event(QueuedEvent.Source.COLD), listener);
    assertThat(slots.take(listener, events, first)).isEqualTo(events);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    deferrer.look();
  }

  @Test
  void whatWaitsForAListenerThatGetsNowhereIsPutOffAfterAMoment() {
    hang(hung, 2);
    Delivery first = waiting(hung);
    Delivery second = waiting(hung);

    pass(ALMOST);
    assertThat(putOff).isEmpty();
    pass(Duration.ofNanos(1));

    assertThat(putOff).containsExactly(first, second);
    assertThat(stalls).containsExactly(new AsyncSlots.Stall(hung, Deferrer.MOMENT, Duration.ZERO));
    assertThat(queue.coldDepth()).isZero();
  }

  @Test
  void whatHasJustComeWaitsForAMomentUnlessTheListenerHangs() {
    hang(hung, 2);
    pass(ALMOST);
    waiting(hung);
    waiting(hung);

    pass(ALMOST);
    assertThat(putOff).isEmpty();
    pass(Duration.ofNanos(1));
    assertThat(putOff).hasSize(2);
    pass(Duration.ofSeconds(1));
    waiting(hung);
    waiting(hung);
    pass(Duration.ZERO);

    assertThat(putOff).hasSize(4);
    assertThat(stalls.get(1).idle()).isGreaterThan(Deferrer.HANGS);
  }

  @Test
  void whileThereIsRoomForOthersItJustWaits() {
    hang(hung, 2);
    waiting(hung);

    pass(Duration.ofHours(1));

    assertThat(putOff).isEmpty();
    assertThat(queue.coldDepth()).isEqualTo(1);
  }

  @Test
  void whatAListenerNeverTakesIsNotKeptForEver() {
    Delivery event = event(QueuedEvent.Source.COLD);
    Passenger held = new Passenger(event, hung);
    slots.hold(hung, held, slots.returned());

    for (int i = 0; i < 119; i++) {
      pass(Duration.ofMillis(250));
      slots.askAgain();
      slots.hold(hung, (Passenger) queue.take(), slots.returned());
    }
    assertThat(putOff).isEmpty();
    pass(Duration.ofMillis(250));

    assertThat(putOff).containsExactly(event);
  }

  @Test
  void listenerThatIsSlowButGivesBackIsWaitedFor() {
    hang(hung, 2);
    waiting(hung);
    waiting(hung);
    waiting(hung);

    for (int i = 0; i < 2; i++) {
      pass(ALMOST);
      slots.answered(hung, 1, Duration.ZERO);
    }
    pass(ALMOST);

    assertThat(putOff).isEmpty();
  }

  @Test
  void othersThatGetOnWaitOn() {
    hang(hung, 1);
    hang(other, 1);
    Delivery stuck = waiting(hung);
    waiting(other);
    pass(ALMOST);
    waiting(other);
    slots.answered(other, 1, Duration.ZERO);

    pass(Duration.ofNanos(1));

    assertThat(putOff).containsExactly(stuck);
  }

  @Test
  void eventsOfABatchThatFindsNoSlotArePutOffToo() {
    AsyncBatchEventListener listener = (events, result) -> new CompletableFuture<>();
    hang(hung, 2);
    List<Delivery> events = List.of(event(QueuedEvent.Source.COLD), event(QueuedEvent.Source.COLD));
    events.forEach(event -> gatherings.add(listener, event));
    Gathering batch = (Gathering) queue.take();
    assertThat(slots.take(listener, 2, batch)).isZero();

    pass(Deferrer.MOMENT);
    assertThat(putOff).isEqualTo(events);
    assertThat(queue.coldDepth()).isZero();

    slots.answered(hung, 2, Duration.ZERO);
    assertThat(queue.take()).isSameAs(batch);
    assertThat(slots.take(listener, gatherings.size(batch), batch)).isEqualTo(1);
    slots.leave(listener, 1);
    gatherings.ended(batch);
    assertThat(slots.listeners()).isZero();
  }

  @Test
  void onlyTheFullQueueIsRelieved() {
    hang(hung, 2);
    Delivery hot = event(QueuedEvent.Source.HOT);
    slots.take(hung, 1, new Passenger(hot, hung));
    waiting(hung);
    waiting(hung);

    pass(Deferrer.MOMENT);

    assertThat(putOff).hasSize(2).doesNotContain(hot);
    assertThat(queue.hotDepth()).isEqualTo(1);
  }
}
