package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.Harness;

class DispatcherDeliveryTest {

  private final Harness harness = new Harness();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void listenersRunOnTheThreadsOfTheGivenFactory() {
    List<String> names = new CopyOnWriteArrayList<>();
    harness.onEvent(event -> names.add(Thread.currentThread().getName()));
    OutboxDispatcher dispatcher =
        harness.build(
            harness.dispatcher().workerThreads(task -> new Thread(task, "given")).workerCount(2));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitDone(event);
    assertThat(names).containsExactly("given");
  }

  @Test
  void hotEventReachesItsListenerAndIsDone() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    EventEnvelope event = harness.stored();

    boolean taken = dispatcher.enqueueHot(Harness.hot(event));

    assertThat(taken).isTrue();
    harness.awaitDone(event);
    assertThat(harness.listener.events()).containsExactly(event);
    assertThat(harness.row(event).event().attempts()).isZero();
    assertThat(harness.metrics.hotEnqueued()).isEqualTo(1);
    assertThat(harness.metrics.coldEnqueued()).isZero();
    Harness.eventually(() -> harness.metrics.successes() == 1);
  }

  @Test
  void coldEventReachesItsListenerAndIsDone() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    EventEnvelope event = harness.stored();

    boolean taken = dispatcher.enqueueCold(Harness.cold(event, 3));

    assertThat(taken).isTrue();
    harness.awaitDone(event);
    assertThat(harness.listener.events()).containsExactly(event);
    assertThat(harness.metrics.coldEnqueued()).isEqualTo(1);
    assertThat(harness.metrics.hotEnqueued()).isZero();
  }

  @Test
  void methodDecidesTheQueueWhateverTheEventSays() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).coldQueueCapacity(5));

    dispatcher.enqueueHot(Harness.cold(Harness.event(), 0));
    assertThat(dispatcher.coldQueueRemainingCapacity()).isEqualTo(5);

    dispatcher.enqueueCold(Harness.hot(Harness.event()));
    assertThat(dispatcher.coldQueueRemainingCapacity()).isEqualTo(4);
  }

  @Test
  void listenerIsChosenByAggregateTypeAndEventType() {
    List<String> calls = new ArrayList<>();
    DefaultListenerRegistry registry =
        new DefaultListenerRegistry()
            .register("Order", "Placed", event -> calls.add("order"))
            .register("User", "Placed", event -> calls.add("user"));
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().listenerRegistry(registry));
    EventEnvelope event =
        EventEnvelope.builder("Placed").aggregateType("User").payloadJson("{}").build();
    harness.store.insertNew(null, event);

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitDone(event);
    assertThat(calls).containsExactly("user");
  }

  @Test
  void eventInFlightIsNotTakenTwice() {
    CountDownLatch release = new CountDownLatch(1);
    harness.onEvent(event -> release.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().workerCount(4));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));
    boolean again = dispatcher.enqueueCold(Harness.cold(event, 0));
    boolean andAgain = dispatcher.enqueueHot(Harness.hot(event));
    release.countDown();

    harness.awaitDone(event);
    dispatcher.close();
    assertThat(again).isTrue();
    assertThat(andAgain).isTrue();
    assertThat(harness.listener.count()).isEqualTo(1);
    assertThat(harness.metrics.coldEnqueued()).isZero();
  }

  @Test
  void eventIsTakenAgainOnceItsStatusIsWritten() {
    harness.failFirst(1);
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> harness.metrics.failures() == 1 && dispatcher.inFlightCount() == 0);

    dispatcher.enqueueCold(Harness.cold(event, 1));

    harness.awaitDone(event);
    assertThat(harness.listener.count()).isEqualTo(2);
  }

  @Test
  void withoutWorkersEventsWaitAndNothingIsDelivered() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().workerCount(0));
    EventEnvelope event = harness.stored();

    boolean taken = dispatcher.enqueueHot(Harness.hot(event));
    dispatcher.close();

    assertThat(taken).isTrue();
    assertThat(harness.listener.count()).isZero();
    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
  }

  @Test
  void capacitiesAreExact() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).hotQueueCapacity(3).coldQueueCapacity(2));

    List<Boolean> hot =
        IntStream.range(0, 4)
            .mapToObj(i -> dispatcher.enqueueHot(Harness.hot(Harness.event())))
            .toList();
    List<Integer> room = new ArrayList<>();
    List<Boolean> cold = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      room.add(dispatcher.coldQueueRemainingCapacity());
      cold.add(dispatcher.enqueueCold(Harness.cold(Harness.event(), 0)));
    }

    assertThat(hot).containsExactly(true, true, true, false);
    assertThat(cold).containsExactly(true, true, false);
    assertThat(room).containsExactly(2, 1, 0);
    assertThat(harness.metrics.hotDepth()).isEqualTo(3);
    assertThat(harness.metrics.coldDepth()).isEqualTo(2);
  }

  @Test
  void refusedEventIsNotInFlight() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).hotQueueCapacity(1));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(Harness.event()));

    boolean hot = dispatcher.enqueueHot(Harness.hot(event));
    boolean cold = dispatcher.enqueueCold(Harness.cold(event, 0));

    assertThat(hot).isFalse();
    assertThat(cold).isTrue();
    assertThat(harness.metrics.coldEnqueued()).isEqualTo(1);
  }

  @Test
  void workersHandleAsManyEventsAtOnceAsThereAreWorkers() {
    CountDownLatch allIn = new CountDownLatch(3);
    harness.onEvent(
        event -> {
          allIn.countDown();
          allIn.await();
        });
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().workerCount(3));
    List<EventEnvelope> events = harness.stored(3);

    events.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
  }

  @Test
  void twoHotEventsAreTakenForEachColdOne() {
    CountDownLatch filled = new CountDownLatch(1);
    harness.onEvent(event -> filled.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    dispatcher.enqueueHot(Harness.hot(harness.stored()));
    Harness.eventually(() -> harness.listener.count() == 1);
    List<EventEnvelope> hot = harness.stored(40);
    List<EventEnvelope> cold = harness.stored(40);
    hot.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));
    cold.forEach(event -> dispatcher.enqueueCold(Harness.cold(event, 0)));

    filled.countDown();

    Harness.eventually(() -> harness.listener.count() == 81);
    List<EventEnvelope> order = harness.listener.events().subList(1, 61);
    assertThat(order.stream().filter(hot::contains)).hasSize(40);
    for (int from = 0; from + 3 <= 60; from += 3) {
      assertThat(order.subList(from, from + 3).stream().filter(hot::contains)).hasSize(2);
    }
  }

  @Test
  void eventThatWaitedLongerThanItIsTrackedIsDeliveredByWhoeverTookItOver() {
    CountDownLatch held = new CountDownLatch(1);
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().inFlightTracker(new DefaultInFlightTracker(1)));
    dispatcher.enqueueHot(Harness.hot(harness.stored()));
    Harness.eventually(() -> harness.listener.count() == 1);
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(
        () -> dispatcher.enqueueCold(Harness.cold(event, 0)) && harness.metrics.coldEnqueued() > 0);

    held.countDown();

    harness.awaitDone(event);
    dispatcher.close();
    assertThat(harness.listener.count()).isEqualTo(2);
  }

  @Test
  void requiredPartsAreAskedFor() {
    OutboxDispatcher.Builder empty = OutboxDispatcher.builder();

    assertThatThrownBy(empty::build)
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("connectionProvider");
    assertThatThrownBy(() -> harness.dispatcher(null).build())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("outboxStore");
    assertThatThrownBy(() -> harness.dispatcher().listenerRegistry(null).build())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("listenerRegistry");
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertRefused(harness.dispatcher().maxAttempts(0), "maxAttempts");
    assertRefused(harness.dispatcher().workerCount(-1), "workerCount");
    assertRefused(harness.dispatcher().hotQueueCapacity(0), "hotQueueCapacity");
    assertRefused(harness.dispatcher().coldQueueCapacity(0), "coldQueueCapacity");
    assertRefused(harness.dispatcher().drainTimeoutMs(-1), "drainTimeout");
  }

  @Test
  void dispatchersOfOneBuilderHaveNothingInCommon() {
    OutboxDispatcher.Builder builder = harness.dispatcher().workerCount(0);
    OutboxDispatcher first = harness.build(builder);
    OutboxDispatcher second = harness.build(builder);
    EventEnvelope event = harness.stored();

    first.enqueueCold(Harness.cold(event, 0));
    second.enqueueCold(Harness.cold(event, 0));

    assertThat(first.coldQueueRemainingCapacity()).isEqualTo(999);
    assertThat(second.coldQueueRemainingCapacity()).isEqualTo(999);
  }

  @Test
  void refusedBuilderStartsNoThread() {
    Set<Thread> before = workers();

    assertRefused(harness.dispatcher().maxAttempts(0), "maxAttempts");

    assertThat(before).containsAll(workers());
  }

  @Test
  void missingEventIsRefused() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());

    assertThatThrownBy(() -> dispatcher.enqueueHot(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> dispatcher.enqueueCold(null)).isInstanceOf(NullPointerException.class);
  }

  private static void assertRefused(OutboxDispatcher.Builder builder, String setting) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(setting)
        .hasMessageContaining("got:");
  }

  private static Set<Thread> workers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-worker-"))
        .collect(Collectors.toSet());
  }
}
