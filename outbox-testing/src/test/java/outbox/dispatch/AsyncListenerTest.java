package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.AsyncEventListener;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.Harness;
import outbox.testing.Uninterruptibly;

@Timeout(120)
class AsyncListenerTest {

  private final Harness harness = new Harness();
  private final Map<String, CompletableFuture<Object>> stages = new ConcurrentHashMap<>();
  private final AsyncEventListener listener =
      event -> stages.computeIfAbsent(event.eventId(), id -> new CompletableFuture<>());

  @AfterEach
  void close() {
    stages.values().forEach(stage -> stage.complete("closed"));
    harness.close();
  }

  private OutboxDispatcher.Builder dispatcher(AsyncEventListener async) {
    return harness
        .dispatcher()
        .listenerRegistry(
            new DefaultListenerRegistry()
                .register(Harness.TYPE, async)
                .register("Plain", harness.listener));
  }

  private EventEnvelope deliver(OutboxDispatcher dispatcher) {
    EventEnvelope event = harness.stored();
    assertThat(dispatcher.enqueueHot(Harness.hot(event))).isTrue();
    return event;
  }

  private CompletableFuture<Object> stageOf(EventEnvelope event) {
    Harness.eventually(() -> stages.containsKey(event.eventId()));
    return stages.get(event.eventId());
  }

  @Test
  void oneWorkerHasManyEventsUnderWay() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(listener));
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      events.add(deliver(dispatcher));
    }
    Harness.eventually(() -> stages.size() == 100);
    assertThat(events).extracting(harness::status).containsOnly(EventStatus.NEW);

    Collections.shuffle(events);
    events.forEach(event -> stageOf(event).complete("sent"));

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    Harness.eventually(() -> harness.metrics.successes() == 100);
  }

  @Test
  void failedStageIsAFailedTryAndItsWordCounts() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(listener));
    EventEnvelope retried = deliver(dispatcher);
    EventEnvelope dead = deliver(dispatcher);
    EventEnvelope deferred = deliver(dispatcher);
    EventEnvelope broken = deliver(dispatcher);

    stageOf(retried).completeExceptionally(new IOException("refused"));
    stageOf(dead).completeExceptionally(new NonRetryableException("malformed"));
    stageOf(deferred).completeExceptionally(new DeferException(Duration.ofHours(1), "paused"));
    stageOf(broken).completeExceptionally(new AssertionError("bug"));

    harness.awaitStatus(EventStatus.RETRY, retried, broken);
    harness.awaitStatus(EventStatus.DEAD, dead);
    assertThat(harness.row(retried).lastError()).isEqualTo("java.io.IOException: refused");
    assertThat(harness.row(retried).event().attempts()).isEqualTo(1);
    assertThat(harness.row(broken).event().attempts()).isEqualTo(1);
    Harness.eventually(() -> isLater(deferred));
    assertThat(harness.row(deferred).event().attempts()).isZero();
  }

  private boolean isLater(EventEnvelope event) {
    return harness.row(event).availableAt().isAfter(harness.row(event).event().createdAt());
  }

  @Test
  void callThatThrowsOrReturnsNothingIsAFailedTry() {
    OutboxDispatcher nothing = harness.build(dispatcher(event -> null));
    OutboxDispatcher throwing =
        harness.build(
            dispatcher(
                event -> {
                  throw new StackOverflowError("too deep");
                }));

    EventEnvelope first = deliver(nothing);
    EventEnvelope second = deliver(throwing);

    harness.awaitStatus(EventStatus.RETRY, first, second);
    assertThat(harness.row(first).lastError()).contains("no stage");
    assertThat(harness.row(second).lastError()).contains("StackOverflowError");
    assertThat(harness.row(first).event().attempts()).isEqualTo(1);
  }

  @Test
  void noMoreAreUnderWayThanAllowedAndPlainListenersGoOn() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(listener).asyncInFlight(3));
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      events.add(deliver(dispatcher));
    }
    EventEnvelope plain = EventEnvelope.ofJson("Plain", "{}");
    harness.store.insertNew(null, plain);
    dispatcher.enqueueHot(Harness.hot(plain));
    harness.awaitDone(plain);
    assertThat(stages).hasSize(3);

    for (int done = 0; done < 20; done++) {
      int started = Math.min(20, done + 3);
      Harness.eventually(() -> stages.size() == started);
      stages.values().stream().filter(s -> !s.isDone()).findFirst().orElseThrow().complete("sent");
    }

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
  }

  @Test
  void whatWaitsForASlotCountsAgainstTheQueue() {
    CompletableFuture<Object> stage = new CompletableFuture<>();
    OutboxDispatcher dispatcher =
        harness.build(
            dispatcher(event -> stages.merge(event.eventId(), stage, (a, b) -> b))
                .asyncInFlight(1)
                .hotQueueCapacity(5));
    assertThat(stageOf(deliver(dispatcher))).isNotDone();

    List<EventEnvelope> accepted =
        harness.stored(50).stream()
            .filter(event -> dispatcher.enqueueHot(Harness.hot(event)))
            .toList();

    assertThat(accepted).hasSizeBetween(5, 6); // one may pass while the worker parks another
    stage.complete("sent");
    harness.build(harness.poller(dispatcher)).start(); // they are put off if this takes long
    harness.awaitDone(accepted.toArray(EventEnvelope[]::new));
  }

  @Test
  void interceptorsSurroundTheStage() {
    List<String> calls = new CopyOnWriteArrayList<>();
    OutboxDispatcher dispatcher =
        harness.build(
            dispatcher(listener)
                .interceptor(EventInterceptor.before(event -> calls.add("before")))
                .interceptor(
                    EventInterceptor.after((event, error) -> calls.add("after " + error))));
    EventEnvelope event = deliver(dispatcher);
    CompletableFuture<Object> stage = stageOf(event);
    assertThat(calls).containsExactly("before");

    stage.completeExceptionally(new IOException("refused"));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(calls).containsExactly("before", "after java.io.IOException: refused");
  }

  @Test
  void closeWaitsForStages() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(listener).asyncInFlight(1));
    EventEnvelope first = deliver(dispatcher);
    EventEnvelope second = deliver(dispatcher);
    assertThat(stageOf(first)).isNotDone();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(dispatcher::close);
    Harness.eventually(() -> dispatcher.coldQueueRemainingCapacity() == 0);

    stageOf(first).complete("sent");
    stageOf(second).complete("sent");

    closing.join();
    assertThat(harness.status(first)).isEqualTo(EventStatus.DONE);
    assertThat(harness.status(second)).isEqualTo(EventStatus.DONE);
  }

  @Test
  void closeGivesBackWhatHangsWithoutAnAttempt() {
    List<String> ends = new CopyOnWriteArrayList<>();
    CompletableFuture<Object> deaf = new Deaf();
    OutboxDispatcher dispatcher =
        harness.build(
            dispatcher(event -> stages.merge(event.eventId(), deaf, (a, b) -> b))
                .asyncInFlight(2)
                .drainTimeoutMs(50)
                .interceptor(
                    EventInterceptor.after((event, error) -> ends.add(error.getMessage()))));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    List<EventEnvelope> events = harness.stored(5);
    poller.poll();
    Harness.eventually(() -> stages.size() == 2);

    dispatcher.close();
    deaf.complete("too late");

    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
              assertThat(harness.row(event).event().attempts()).isZero();
              assertThat(harness.row(event).lockedBy()).isNull();
            });
    assertThat(ends).hasSize(2).allMatch(end -> end.contains("closed"));
    assertThat(harness.metrics.successes()).isZero();
  }

  @Test
  void closeCancelsStagesWithoutAnAttempt() {
    OutboxDispatcher dispatcher = harness.build(dispatcher(listener).drainTimeoutMs(0));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    EventEnvelope event = harness.stored();
    poller.poll();
    CompletableFuture<Object> stage = stageOf(event);

    dispatcher.close();

    assertThat(stage).isCancelled();
    assertThat(harness.row(event).event().attempts()).isZero();
    assertThat(harness.row(event).lockedBy()).isNull();
  }

  @Test
  void stageIsNeverKeptWaitingForTheDatabase() {
    CountDownLatch away = new CountDownLatch(1);
    OutboxDispatcher dispatcher =
        harness.build(
            dispatcher(listener)
                .hotQueueCapacity(5000)
                .asyncInFlight(5000)
                .connectionProvider(
                    () -> {
                      Uninterruptibly.await(away, Duration.ofSeconds(20));
                      return harness.store.connections().getConnection();
                    }));
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      events.add(deliver(dispatcher));
    }
    Harness.eventually(() -> stages.size() == 4000);

    stages.values().forEach(stage -> stage.complete("sent")); // returns though nothing is written

    away.countDown();
    harness.awaitDone(events.toArray(EventEnvelope[]::new));
  }

  @Test
  void impossibleNumberIsRefused() {
    assertThatThrownBy(() -> harness.dispatcher().asyncInFlight(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("asyncInFlight");
  }

  /** Hangs, whatever one does. */
  private static final class Deaf extends CompletableFuture<Object> {

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      return false;
    }
  }
}
