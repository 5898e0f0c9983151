package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.BatchEventListener;
import outbox.EventEnvelope;

@Timeout(120)
class FairQueueTest {

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static Delivery delivery(QueuedEvent.Source source) {
    EventEnvelope envelope = EventEnvelope.ofJson("T", "{}");
    return new Delivery(new QueuedEvent(envelope, source, 0), InFlight.Hold.NONE, null);
  }

  private static Delivery hot() {
    return delivery(QueuedEvent.Source.HOT);
  }

  private static Delivery cold() {
    return delivery(QueuedEvent.Source.COLD);
  }

  @Test
  void capacitiesAreExactAndApart() {
    FairQueue queue = new FairQueue(2, 1);

    assertThat(queue.offer(hot())).isTrue();
    assertThat(queue.offer(hot())).isTrue();
    assertThat(queue.offer(hot())).isFalse();
    assertThat(queue.coldRemainingCapacity()).isEqualTo(1);
    assertThat(queue.offer(cold())).isTrue();
    assertThat(queue.offer(cold())).isFalse();
    assertThat(queue.hotDepth()).isEqualTo(2);
    assertThat(queue.coldDepth()).isEqualTo(1);
    assertThat(queue.hasRoom(true)).isFalse();
    assertThat(queue.hasRoom(false)).isFalse();
  }

  @Test
  void halfFullIsToldOfEachQueueWithWhatIsParkedThere() {
    FairQueue queue = new FairQueue(4, 3);
    queue.offer(hot());
    queue.offer(cold());
    assertThat(queue.isHalfFull(true)).isFalse();
    assertThat(queue.isHalfFull(false)).isFalse();

    queue.park(hot());
    queue.offer(cold());

    assertThat(queue.isHalfFull(true)).isTrue();
    assertThat(queue.isHalfFull(false)).isTrue();
  }

  @Test
  void twoHotAreTakenForEachCold() {
    FairQueue queue = new FairQueue(100, 100);
    for (int i = 0; i < 60; i++) {
      queue.offer(hot());
      queue.offer(cold());
    }

    List<Boolean> order = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      order.add(queue.take().isHot());
    }

    for (int from = 0; from < 30; from += 3) {
      assertThat(order.subList(from, from + 3)).containsExactly(true, true, false);
    }
  }

  @Test
  void oneQueueAloneIsServedWithoutGaps() {
    FairQueue queue = new FairQueue(10, 10);
    List<Delivery> events = List.of(cold(), cold(), cold(), cold());
    events.forEach(queue::offer);

    assertThat(events).allSatisfy(event -> assertThat(queue.take()).isSameAs(event));
  }

  @Test
  void waitingTakerGetsWhatComesToEitherQueue() throws Exception {
    FairQueue queue = new FairQueue(10, 10);
    for (Delivery event : List.of(hot(), cold(), cold(), hot())) {
      Future<Work> taken = threads.submit(queue::take);

      queue.offer(event);

      assertThat(taken.get(60, TimeUnit.SECONDS)).isSameAs(event);
    }
  }

  @Test
  void closedQueueIsEmptiedAndThenEnds() {
    FairQueue queue = new FairQueue(10, 10);
    Delivery left = cold();
    queue.offer(left);

    queue.close();

    assertThat(queue.offer(hot())).isFalse();
    assertThat(queue.hasRoom(true)).isFalse();
    assertThat(queue.coldRemainingCapacity()).isZero();
    assertThat(queue.take()).isSameAs(left);
    assertThat(queue.take()).isNull();
  }

  @Test
  void closeLetsEveryWaitingTakerGo() throws Exception {
    FairQueue queue = new FairQueue(10, 10);
    List<Future<Work>> takers =
        List.of(
            threads.submit(queue::take), threads.submit(queue::take), threads.submit(queue::take));

    queue.close();

    for (Future<Work> taker : takers) {
      assertThat(taker.get(60, TimeUnit.SECONDS)).isNull();
    }
  }

  @Test
  void parkedEventCountsAsWaitingAndComesFirstAgain() {
    FairQueue queue = new FairQueue(2, 1);
    Delivery first = hot();
    Delivery second = hot();
    queue.offer(first);
    queue.offer(second);

    queue.park((Delivery) queue.take());

    assertThat(queue.hotDepth()).isEqualTo(2);
    assertThat(queue.offer(hot())).isFalse();
    queue.resume(first);
    assertThat(queue.hotDepth()).isEqualTo(2);
    assertThat(queue.take()).isSameAs(first);
    assertThat(queue.take()).isSameAs(second);
    assertThat(queue.hotDepth()).isZero();
  }

  @Test
  void batchLinesUpBehindWhatWaitsAndItsEventsKeepCounting() {
    FairQueue queue = new FairQueue(3, 1);
    Gatherings gatherings = new Gatherings(queue);
    BatchEventListener listener = (events, result) -> {};
    Delivery first = hot();
    Delivery other = hot();
    queue.offer(first);
    queue.offer(other);

    gatherings.add(listener, (Delivery) queue.take());

    assertThat(queue.hotDepth()).isEqualTo(2);
    assertThat(queue.take()).isSameAs(other);
    Gathering batch = (Gathering) queue.take();
    assertThat(queue.hotDepth()).isEqualTo(1);
    assertThat(gatherings.next(batch, 10)).containsExactly(first);
    assertThat(queue.hotDepth()).isZero();
  }

  @Test
  void eventsThatComeDuringABatchAreTheNextOne() {
    FairQueue queue = new FairQueue(10, 10);
    Gatherings gatherings = new Gatherings(queue);
    BatchEventListener listener = (events, result) -> {};
    gatherings.add(listener, hot());
    Gathering batch = (Gathering) queue.take();
    gatherings.next(batch, 10);
    List<Delivery> later = List.of(cold(), hot(), hot());
    later.forEach(event -> gatherings.add(listener, event));

    gatherings.ended(batch);

    assertThat(queue.take()).isSameAs(batch);
    assertThat(gatherings.next(batch, 2)).isEqualTo(later.subList(0, 2));
    gatherings.ended(batch);
    assertThat(queue.take()).isSameAs(batch);
    assertThat(gatherings.next(batch, 2)).isEqualTo(later.subList(2, 3));
  }

  @Test
  void closedQueueWaitsForWhatIsParked() throws Exception {
    FairQueue queue = new FairQueue(10, 10);
    Delivery parked = hot();
    queue.offer(parked);
    queue.park((Delivery) queue.take());
    queue.close();
    Future<Work> waiting = threads.submit(queue::take);
    Future<Work> alsoWaiting = threads.submit(queue::take);

    queue.resume(parked);

    List<Work> taken = new ArrayList<>();
    taken.add(waiting.get(60, TimeUnit.SECONDS));
    taken.add(alsoWaiting.get(60, TimeUnit.SECONDS));
    assertThat(taken).containsExactlyInAnyOrder(parked, null);
  }

  @Test
  void takersOfAClosedQueueGoWhenNothingIsParkedAnyMore() throws Exception {
    FairQueue queue = new FairQueue(10, 10);
    Delivery parked = cold();
    queue.park(parked);
    queue.close();
    Future<Work> waiting = threads.submit(queue::take);

    queue.unpark(List.of(parked));

    assertThat(waiting.get(60, TimeUnit.SECONDS)).isNull();
    assertThat(queue.coldDepth()).isZero();
  }

  @Test
  void drainTakesEverythingAtOnce() {
    FairQueue queue = new FairQueue(10, 10);
    queue.offer(cold());
    queue.offer(hot());
    queue.close();

    assertThat(queue.drain()).hasSize(2);
    assertThat(queue.take()).isNull();
  }

  @Test
  void whatIsAcceptedDuringCloseIsTakenOrDrained() throws Exception {
    for (int round = 0; round < 500; round++) {
      FairQueue queue = new FairQueue(1000, 1000);
      AtomicInteger accepted = new AtomicInteger();
      CyclicBarrier start = new CyclicBarrier(3);
      Future<?> producer =
          threads.submit(
              () -> {
                start.await();
                for (int i = 0; i < 20; i++) {
                  accepted.addAndGet(queue.offer(i % 2 == 0 ? hot() : cold()) ? 1 : 0);
                }
                return null;
              });
      Future<Integer> taker =
          threads.submit(
              () -> {
                start.await();
                int taken = 0;
                while (queue.take() != null) {
                  taken++;
                }
                return taken;
              });

      start.await();
      queue.close();
      producer.get();

      assertThat(taker.get() + queue.drain().size()).isEqualTo(accepted.get());
    }
  }

  @Test
  void nothingIsLostOrDoubledAmongManyThreads() throws Exception {
    FairQueue queue = new FairQueue(50, 50);
    int each = 20_000;
    List<Future<Integer>> takers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      takers.add(
          threads.submit(
              () -> {
                int taken = 0;
                while (queue.take() != null) {
                  taken++;
                }
                return taken;
              }));
    }
    List<Future<?>> producers = new ArrayList<>();
    for (QueuedEvent.Source source : QueuedEvent.Source.values()) {
      Delivery event = delivery(source);
      producers.add(
          threads.submit(
              () -> {
                for (int i = 0; i < each; ) {
                  i += queue.offer(event) ? 1 : 0;
                }
              }));
    }
    for (Future<?> producer : producers) {
      producer.get();
    }

    queue.close();

    int taken = 0;
    for (Future<Integer> taker : takers) {
      taken += taker.get();
    }
    assertThat(taken).isEqualTo(2 * each);
  }
}
