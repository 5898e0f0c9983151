package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.Harness;

/** When a started poller polls: at once, while there is more, when something is due. */
class PollingInTimeTest {

  private final Harness harness = new Harness();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void firstPollComesAtOnce() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    EventEnvelope event = harness.stored();

    harness.build(harness.poller(dispatcher)).start();

    harness.awaitDone(event);
  }

  @Test
  void wokenPollerPollsAtOnce() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller poller = harness.build(harness.poller(dispatcher));
    poller.start();
    Harness.eventually(() -> harness.metrics.oldestLagMs() == 0);
    EventEnvelope event = harness.stored();

    poller.wake();

    harness.awaitDone(event);
  }

  @Test
  void pollsFollowEachOtherAtTheInterval() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.build(harness.poller(dispatcher).intervalMs(20)).start();
    Harness.eventually(() -> harness.metrics.oldestLagMs() == 0);

    EventEnvelope event = harness.stored();

    harness.awaitDone(event);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void retryIsDeliveredWhenItIsDueHoweverLongTheInterval(boolean claims) {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().retryPolicy(tries -> 200));
    OutboxPoller.Builder builder = harness.poller(dispatcher);
    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();
    harness.failFirst(2);
    long start = System.nanoTime(); // before the poller can see the event
    EventEnvelope event = harness.stored();

    dispatcher.enqueueHot(Harness.hot(event));

    harness.awaitDone(event);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(400), Duration.ofSeconds(5));
    assertThat(harness.listener.count()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyRetriesAreAllDeliveredWhenDue(boolean claims) {
    AtomicInteger tries = new AtomicInteger();
    harness.onEvent(
        event -> {
          if (tries.getAndIncrement() % 3 == 0) {
            throw new IllegalStateException("refused");
          }
        });
    OutboxDispatcher dispatcher =
        harness.build(
            harness.dispatcher().workerCount(2).maxAttempts(1000).retryPolicy(n -> n % 4));
    OutboxPoller.Builder builder = harness.poller(dispatcher);
    EventEnvelope[] events = harness.stored(500).toArray(EventEnvelope[]::new);

    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();

    harness.awaitDone(events);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void backlogDrainsWithDefaultSettingsWithoutWaitingForIntervals(boolean claims) {
    int backlog = 20_000;
    AtomicInteger delivered = new AtomicInteger();
    OutboxDispatcher dispatcher =
        harness.build(
            OutboxDispatcher.builder()
                .connectionProvider(harness.store.connections())
                .outboxStore(harness.store)
                .listenerRegistry(
                    new DefaultListenerRegistry()
                        .register(Harness.TYPE, event -> delivered.incrementAndGet())));
    OutboxPoller.Builder builder =
        OutboxPoller.builder()
            .connectionProvider(harness.store.connections())
            .outboxStore(harness.store)
            .handler(new DispatcherPollerHandler(dispatcher));
    harness.stored(backlog);

    harness.build(claims ? builder.claimLocking(Duration.ofMinutes(5)) : builder).start();

    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> harness.store.count(EventStatus.DONE) == backlog);
    assertThat(delivered).hasValue(backlog);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void backlogThatDoesNotFitIsTakenAsRoomIsMade(boolean claims) {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(2).coldQueueCapacity(7));
    OutboxPoller.Builder builder = harness.poller(dispatcher);
    harness.stored(1500);

    harness.build(claims ? builder.claimLocking("node-1", Harness.LONG) : builder).start();

    Harness.eventually(() -> harness.store.count(EventStatus.DONE) == 1500);
    assertThat(harness.listener.count()).isEqualTo(1500);
  }
}
