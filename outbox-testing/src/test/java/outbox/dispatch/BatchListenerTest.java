package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.AsyncBatchEventListener;
import outbox.BatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.Harness;

@Timeout(120)
class BatchListenerTest {

  private final Harness harness = new Harness();
  private final List<List<EventEnvelope>> batches = new CopyOnWriteArrayList<>();
  private final Semaphore turns = new Semaphore(0);

  @AfterEach
  void close() {
    turns.release(10_000);
    harness.close();
  }

  /** Takes batches of 10, one per turn. */
  private final class Gatherer implements BatchEventListener {

    private final BatchEventListener then;

    Gatherer(BatchEventListener then) {
      this.then = then;
    }

    @Override
    public int maxBatch() {
      return 10;
    }

    @Override
    public void onEvents(List<EventEnvelope> events, BatchResult result) throws Exception {
      batches.add(events);
      turns.acquire();
      then.onEvents(events, result);
    }
  }

  private OutboxDispatcher.Builder dispatcher(BatchEventListener batch) {
    return harness
        .dispatcher()
        .listenerRegistry(
            new DefaultListenerRegistry()
                .register(Harness.TYPE, batch)
                .register("SameListener", batch)
                .register("Plain", harness.listener));
  }

  private EventEnvelope deliver(OutboxDispatcher dispatcher, String type) {
    EventEnvelope event = EventEnvelope.ofJson(type, "{}");
    harness.store.insertNew(null, event);
    assertThat(dispatcher.enqueueHot(Harness.hot(event))).isTrue();
    return event;
  }

  private List<EventEnvelope> deliver(OutboxDispatcher dispatcher, int count) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(deliver(dispatcher, i % 2 == 0 ? Harness.TYPE : "SameListener"));
    }
    return events;
  }

  private static EventEnvelope[] array(List<EventEnvelope> events) {
    return events.toArray(EventEnvelope[]::new);
  }

  @Test
  void idleListenerGetsAnEventAtOnceAndTheNextBatchIsWhatCameMeanwhile() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(new Gatherer((e, r) -> {})));
    EventEnvelope first = deliver(dispatcher, Harness.TYPE);
    Harness.eventually(() -> batches.size() == 1);
    List<EventEnvelope> later = deliver(dispatcher, 25);

    turns.release(4);

    harness.awaitDone(first);
    harness.awaitDone(array(later));
    assertThat(batches)
        .containsExactly(
            List.of(first), later.subList(0, 10), later.subList(10, 20), later.subList(20, 25));
    Harness.eventually(() -> harness.metrics.successes() == 26);
  }

  @Test
  void onlyOneBatchIsDeliveredAtATimeAndOnOneWorker() {
    OutboxDispatcher dispatcher =
        harness.build(dispatcher(new Gatherer((e, r) -> {})).workerCount(2));
    deliver(dispatcher, 50);
    Harness.eventually(() -> batches.size() == 1);

    List<EventEnvelope> plain = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      plain.add(deliver(dispatcher, "Plain"));
    }

    harness.awaitDone(array(plain));
    assertThat(batches).hasSize(1);
  }

  @Test
  void otherListenersHaveTheirTurnBetweenBatchesOfOneWorker() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(new Gatherer((e, r) -> {})));
    List<EventEnvelope> gathered = deliver(dispatcher, 1);
    Harness.eventually(() -> batches.size() == 1);
    gathered.addAll(deliver(dispatcher, 30));
    EventEnvelope plain = deliver(dispatcher, "Plain");

    turns.release();

    harness.awaitDone(plain);
    assertThat(batches).hasSizeLessThanOrEqualTo(2);
    turns.release(10);
    harness.awaitDone(array(gathered));
  }

  @Test
  void eachEventGoesItsOwnWay() {
    BatchEventListener listener =
        new Gatherer(
            (events, result) -> {
              result.failed(events.get(0), new IOException("refused"));
              result.failed(events.get(1), new NonRetryableException("malformed"));
              result.delivered(events.get(2));
            });
    EventEnvelope[] events = deliverTogether(listener, 5);

    harness.awaitStatus(EventStatus.RETRY, events[0]);
    harness.awaitStatus(EventStatus.DEAD, events[1]);
    harness.awaitDone(events[2], events[3], events[4]);
    assertThat(harness.row(events[0]).lastError()).isEqualTo("java.io.IOException: refused");
    assertThat(harness.row(events[0]).event().attempts()).isEqualTo(1);
  }

  @Test
  void whatIsThrownFailsEveryEventThatWasNotDelivered() {
    BatchEventListener listener =
        new Gatherer(
            (events, result) -> {
              result.delivered(events.get(0));
              result.failed(events.get(1), new IOException("refused"));
              throw new StackOverflowError("too deep");
            });
    EventEnvelope[] events = deliverTogether(listener, 4);

    harness.awaitDone(events[0]);
    harness.awaitStatus(EventStatus.RETRY, events[1], events[2], events[3]);
    assertThat(harness.row(events[1]).lastError()).contains("refused");
    assertThat(harness.row(events[3]).lastError()).contains("too deep");
    assertThat(harness.row(events[3]).event().attempts()).isEqualTo(1);
  }

  /** As the second batch, while a first one is held. */
  private EventEnvelope[] deliverTogether(BatchEventListener listener, int count) {
    CountDownLatch held = new CountDownLatch(1);
    BatchEventListener holding =
        new Gatherer(
            (events, result) -> {
              if (events.size() == 1) {
                held.await();
              } else {
                listener.onEvents(events, result);
              }
            });
    turns.release(100);
    OutboxDispatcher dispatcher = harness.build(dispatcher(holding));
    deliver(dispatcher, Harness.TYPE);
    Harness.eventually(() -> batches.size() == 1);
    EventEnvelope[] events = array(deliver(dispatcher, count));
    held.countDown();
    return events;
  }

  @Test
  void interceptorsSurroundEachEventAndOneThatTheyRefuseIsLeftOut() {
    List<String> calls = new CopyOnWriteArrayList<>();
    OutboxDispatcher dispatcher =
        harness.build(
            dispatcher(new Gatherer((e, r) -> {}))
                .interceptor(
                    EventInterceptor.before(
                        event -> {
                          if (event.eventType().equals("SameListener")) {
                            throw new IllegalStateException("not this one");
                          }
                        }))
                .interceptor(EventInterceptor.after((event, error) -> calls.add("after"))));
    turns.release(10);

    EventEnvelope refused = deliver(dispatcher, "SameListener");
    EventEnvelope taken = deliver(dispatcher, Harness.TYPE);

    harness.awaitStatus(EventStatus.RETRY, refused);
    harness.awaitDone(taken);
    assertThat(batches).containsExactly(List.of(taken));
    assertThat(calls).hasSize(1);
  }

  @Test
  void gatheredEventsCountAgainstTheQueue() {
    OutboxDispatcher dispatcher =
        harness.build(dispatcher(new Gatherer((e, r) -> {})).workerCount(2).hotQueueCapacity(5));
    deliver(dispatcher, 1);
    Harness.eventually(() -> batches.size() == 1);

    List<EventEnvelope> accepted =
        harness.stored(50).stream()
            .filter(event -> dispatcher.enqueueHot(Harness.hot(event)))
            .toList();

    assertThat(accepted).hasSizeBetween(5, 6); // one may pass while a worker parks another
    turns.release(10);
    harness.awaitDone(array(accepted));
  }

  @Test
  void brokenMaxBatchMeansOneAtATime() {
    BatchEventListener broken =
        new BatchEventListener() {
          @Override
          public void onEvents(List<EventEnvelope> events, BatchResult result) {
            batches.add(events);
          }

          @Override
          public int maxBatch() {
            throw new IllegalStateException("no configuration");
          }
        };
    OutboxDispatcher dispatcher = harness.build(dispatcher(broken));

    List<EventEnvelope> events = deliver(dispatcher, 5);

    harness.awaitDone(array(events));
    assertThat(batches).hasSize(5);
  }

  @Test
  void closeDeliversWhatIsGathered() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(new Gatherer((e, r) -> {})));
    List<EventEnvelope> events = deliver(dispatcher, 33);
    turns.release(100);

    dispatcher.close();

    assertThat(events).extracting(harness::status).containsOnly(EventStatus.DONE);
  }

  @Test
  void closeGivesBackWhatIsGatheredBehindABatchThatHangs() {
    OutboxDispatcher dispatcher =
        harness.build(dispatcher(new Gatherer((e, r) -> {})).workerCount(2).drainTimeoutMs(50));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    List<EventEnvelope> events = harness.stored(30);
    poller.poll();
    Harness.eventually(() -> batches.size() == 1);

    dispatcher.close();

    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
              assertThat(harness.row(event).event().attempts()).isZero();
              assertThat(harness.row(event).lockedBy()).isNull();
            });
  }

  @Test
  void asynchronousBatchesOverlapAndEndWithTheirStages() {
    List<CompletableFuture<Void>> stages = new CopyOnWriteArrayList<>();
    AsyncBatchEventListener listener =
        (events, result) -> {
          batches.add(events);
          CompletableFuture<Void> stage = new CompletableFuture<>();
          stages.add(stage);
          result.delivered(events.get(0));
          return stage;
        };
    OutboxDispatcher dispatcher = harness.build(dispatcher(listener).asyncInFlight(4));
    EventEnvelope first = deliver(dispatcher, Harness.TYPE);
    Harness.eventually(() -> stages.size() == 1);
    List<EventEnvelope> later = deliver(dispatcher, 6);
    Harness.eventually(() -> batches.stream().mapToInt(List::size).sum() == 4);
    assertThat(harness.status(first)).isEqualTo(EventStatus.NEW);

    stages.get(0).completeExceptionally(new IOException("too late for the first"));

    harness.awaitDone(first);
    for (int i = 1; batches.stream().mapToInt(List::size).sum() < 7; i++) {
      int next = i;
      Harness.eventually(() -> stages.size() > next);
      stages.get(i).complete(null);
    }
    stages.forEach(stage -> stage.complete(null));
    harness.awaitDone(array(later));
  }

  @Test
  void takenOverEventsOfABatchCountBeforeTheyAreTried() {
    List<EventEnvelope> events = harness.leftBehind(5, 0);
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    BatchEventListener listener =
        (batch, result) ->
            batch.forEach(event -> attempts.add(harness.row(event).event().attempts()));
    OutboxDispatcher dispatcher = harness.build(dispatcher(listener));

    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG)).poll();

    harness.awaitDone(array(events));
    assertThat(attempts).containsExactly(1, 1, 1, 1, 1);
  }
}
