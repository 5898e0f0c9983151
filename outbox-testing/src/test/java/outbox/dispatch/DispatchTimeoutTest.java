package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.CapturedLogs;
import outbox.testing.Harness;
import outbox.testing.Uninterruptibly;

@Timeout(120)
class DispatchTimeoutTest {

  private static final Duration TIMEOUT = Duration.ofMillis(30);

  private final Harness harness = new Harness();
  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void close() {
    held.countDown();
    harness.close();
  }

  @Test
  void slowTryFailsAndItsWorkerGoesOn() {
    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
    EventEnvelope slow = harness.stored();
    EventEnvelope quick = harness.stored();
    harness.onEvent(
        event -> {
          interrupted.add(Thread.currentThread().isInterrupted());
          if (event.eventId().equals(slow.eventId())) {
            held.await();
          }
        });
    Duration longEnoughForTheQuick = Duration.ofSeconds(1);
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().dispatchTimeout(longEnoughForTheQuick));

    dispatcher.enqueueHot(Harness.hot(slow));
    dispatcher.enqueueHot(Harness.hot(quick));

    harness.awaitDone(quick);
    harness.awaitStatus(EventStatus.RETRY, slow);
    assertThat(harness.row(slow).event().attempts()).isEqualTo(1);
    assertThat(harness.row(slow).lastError())
        .contains("dispatch timeout of PT1S", slow.eventId(), Harness.TYPE);
    assertThat(interrupted).containsExactly(false, false);
  }

  @Test
  void interceptorsSeeTheTimeoutWithoutTheInterrupt() {
    List<Object> seen = new CopyOnWriteArrayList<>();
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .dispatchTimeout(TIMEOUT)
                .interceptor(
                    EventInterceptor.after(
                        (event, error) -> {
                          seen.add(error.getClass());
                          seen.add(Thread.currentThread().isInterrupted());
                        })));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(seen).containsExactly(DispatchTimeoutException.class, false);
  }

  @Test
  void listenerThatIgnoresInterruptsIsReportedOnceAndCountedOnce() {
    try (CapturedLogs logs = new CapturedLogs()) {
      harness.onEvent(event -> Uninterruptibly.await(held, Duration.ofSeconds(20)));
      OutboxDispatcher dispatcher = harness.build(harness.dispatcher().dispatchTimeout(TIMEOUT));
      EventEnvelope event = harness.stored();
      dispatcher.enqueueHot(Harness.hot(event));
      Harness.eventually(() -> !logs.at(Level.WARNING).isEmpty());
      assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);

      held.countDown();

      harness.awaitStatus(EventStatus.RETRY, event);
      assertThat(harness.row(event).event().attempts()).isEqualTo(1);
      assertThat(harness.listener.count()).isEqualTo(1);
      assertThat(logs.at(Level.WARNING))
          .singleElement()
          .satisfies(line -> assertThat(line).contains("ignores the interrupt", event.eventId()));
    }
  }

  @Test
  void eventOfAHungListenerGoesToAnotherNodeAndItsLateResultCountsForNothing() {
    Duration claim = Duration.ofMillis(1500);
    harness.onEvent(event -> Uninterruptibly.await(held, Duration.ofSeconds(20)));
    OutboxDispatcher hung = harness.build(harness.dispatcher().dispatchTimeout(TIMEOUT));
    harness.build(harness.poller(hung).claimLocking("hung", claim));
    OutboxDispatcher healthy =
        harness.build(
            harness
                .dispatcher()
                .listenerRegistry(
                    new DefaultListenerRegistry().register(Harness.TYPE, event -> {})));
    EventEnvelope event = Harness.event();
    harness.write(harness.writer(hung), event);
    Harness.eventually(() -> harness.listener.count() == 1);

    harness.build(harness.poller(healthy).claimLocking("healthy", claim).intervalMs(10)).start();

    harness.awaitDone(event);
    held.countDown();
    hung.close();
    assertThat(harness.status(event)).isEqualTo(EventStatus.DONE);
    assertThat(harness.row(event).event().attempts()).isEqualTo(1); // the take-over's
  }

  @Test
  void stageThatDoesNotCompleteFailsAndIsCancelled() {
    CompletableFuture<Void> stage = new CompletableFuture<>();
    AsyncEventListener listener = event -> stage;
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .dispatchTimeout(TIMEOUT)
                .listenerRegistry(new DefaultListenerRegistry().register(Harness.TYPE, listener)));
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitStatus(EventStatus.RETRY, event);
    Harness.eventually(stage::isCancelled);
    assertThat(harness.row(event).event().attempts()).isEqualTo(1);
    assertThat(harness.row(event).lastError()).contains("dispatch timeout", event.eventId());
  }

  @Test
  void lateStageIsNotUsedTwice() {
    CompletableFuture<Void> stage = // one that can't be cancelled
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            throw new UnsupportedOperationException();
          }
        };
    AsyncEventListener listener = event -> stage;
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .dispatchTimeout(TIMEOUT)
                .listenerRegistry(new DefaultListenerRegistry().register(Harness.TYPE, listener)));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    harness.awaitStatus(EventStatus.RETRY, event);

    stage.complete(null);
    dispatcher.close();

    assertThat(harness.status(event)).isEqualTo(EventStatus.RETRY);
    assertThat(harness.row(event).event().attempts()).isEqualTo(1);
    assertThat(harness.metrics.successes()).isZero();
  }

  @Test
  void slowBatchFailsForWhatItHadNotDelivered() {
    CountDownLatch filled = new CountDownLatch(1);
    EventEnvelope first = EventEnvelope.ofJson("First", "{}");
    harness.store.insertNew(null, first);
    EventEnvelope[] events = harness.stored(4).toArray(EventEnvelope[]::new);
    BatchEventListener listener =
        (batch, result) -> {
          result.delivered(batch.get(0));
          held.await();
        };
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .dispatchTimeout(Duration.ofSeconds(1))
                .listenerRegistry(
                    new DefaultListenerRegistry()
                        .register(
                            "First", event -> Uninterruptibly.await(filled, Duration.ofMinutes(1)))
                        .register(Harness.TYPE, listener)));
    dispatcher.enqueueHot(Harness.hot(first)); // keeps the worker until the batch is complete
    for (EventEnvelope event : events) {
      dispatcher.enqueueHot(Harness.hot(event));
    }

    filled.countDown();

    harness.awaitDone(events[0]);
    harness.awaitStatus(EventStatus.RETRY, events[3]);
    assertThat(harness.row(events[3]).lastError()).contains("timeout", events[3].eventId());
  }

  @Test
  void impossibleTimeoutsAreRefused() {
    assertThatThrownBy(() -> harness.dispatcher().dispatchTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dispatchTimeout");
    assertThatThrownBy(() -> harness.dispatcher().dispatchTimeout(Duration.ofDays(2)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dispatchTimeout");
  }
}
