package outbox.dispatch;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.spi.ConnectionProvider;
import outbox.testing.Harness;
import outbox.testing.Uninterruptibly;
import outbox.util.DaemonThreadFactory;

@Timeout(120)
class DispatcherCloseTest {

  private final Harness harness = new Harness();
  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void close() {
    held.countDown();
    harness.close();
  }

  @Test
  void closeDeliversWhatIsQueued() {
    CountDownLatch filled = new CountDownLatch(1);
    harness.onEvent(event -> filled.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    List<EventEnvelope> events = harness.stored(50);
    events.subList(0, 25).forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));
    events.subList(25, 50).forEach(event -> dispatcher.enqueueCold(Harness.cold(event, 0)));
    filled.countDown();

    dispatcher.close();

    assertThat(events).extracting(harness::status).containsOnly(EventStatus.DONE);
  }

  @Test
  void startThatFailsLeavesNothingRunning() {
    Set<Thread> before = threads();
    AtomicInteger made = new AtomicInteger();
    ThreadFactory workers = new DaemonThreadFactory("outbox-worker-");
    OutboxDispatcher.Builder builder =
        harness
            .dispatcher()
            .workerCount(3)
            .dispatchTimeout(Harness.LONG)
            .workerThreads(
                task -> made.incrementAndGet() < 3 ? workers.newThread(task) : unstartable());

    assertThatThrownBy(builder::build).isInstanceOf(OutOfMemoryError.class).hasMessage("no more");

    assertThat(made).hasValue(3);
    assertThat(threads()).isSubsetOf(before);
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-"))
        .collect(toSet());
  }

  private static Thread unstartable() {
    return new Thread() {
      @Override
      public synchronized void start() {
        throw new OutOfMemoryError("no more");
      }
    };
  }

  @Test
  void closedDispatcherTakesNothing() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());

    dispatcher.close();

    assertThat(dispatcher.enqueueHot(Harness.hot(Harness.event()))).isFalse();
    assertThat(dispatcher.enqueueCold(Harness.cold(Harness.event(), 0))).isFalse();
    assertThat(dispatcher.coldQueueRemainingCapacity()).isZero();
  }

  @Test
  void closingDispatcherRefusesEvenWhatIsInFlight() {
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().drainTimeoutMs(20_000));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> harness.listener.count() == 1);

    CompletableFuture<Void> closing = CompletableFuture.runAsync(dispatcher::close);
    Harness.eventually(() -> dispatcher.coldQueueRemainingCapacity() == 0);

    assertThat(dispatcher.enqueueHot(Harness.hot(event))).isFalse();
    held.countDown();
    closing.join();
    assertThat(harness.status(event)).isEqualTo(EventStatus.DONE);
  }

  @Test
  void closeTwiceIsHarmless() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());

    dispatcher.close();
    dispatcher.close();

    assertThat(dispatcher.coldQueueRemainingCapacity()).isZero();
  }

  @Test
  void closeMayWaitForEver() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().drainTimeoutMs(Long.MAX_VALUE));
    List<EventEnvelope> events = harness.stored(5);
    events.forEach(event -> dispatcher.enqueueHot(Harness.hot(event)));

    dispatcher.close();

    assertThat(events).extracting(harness::status).containsOnly(EventStatus.DONE);
  }

  @Test
  void interruptedTryIsNotCounted() {
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().drainTimeoutMs(0));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    List<EventEnvelope> events = harness.stored(3);
    poller.poll();
    Harness.eventually(() -> harness.listener.count() == 1);

    dispatcher.close();

    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
              assertThat(harness.row(event).event().attempts()).isZero();
              assertThat(harness.row(event).lockedBy()).isNull();
              assertThat(harness.row(event).lastError()).isNull();
            });
    assertThat(harness.metrics.failures()).isZero();
  }

  @Test
  void closeWithoutWorkersGivesClaimsBack() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().workerCount(0));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    EventEnvelope event = harness.stored();
    poller.poll();
    assertThat(harness.row(event).lockedBy()).isEqualTo("node-1");

    dispatcher.close();

    assertThat(harness.row(event).lockedBy()).isNull();
  }

  @Test
  void closingThePollerLeavesWhatItHandedOverLocked() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().workerCount(0));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    EventEnvelope event = harness.stored();
    poller.poll();

    poller.close();

    assertThat(harness.row(event).lockedBy()).isEqualTo("node-1");
  }

  @Test
  void hotEventsLeftAtCloseAreGivenBack() {
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().drainTimeoutMs(0));
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope first = Harness.event();
    EventEnvelope second = Harness.event();
    harness.write(writer, first, second);
    Harness.eventually(() -> harness.listener.count() == 1);

    dispatcher.close();

    assertThat(harness.row(first).lockedBy()).isNull();
    assertThat(harness.row(second).lockedBy()).isNull();
  }

  @Test
  void closeGivesUpOnAListenerThatIgnoresInterrupts() {
    harness.onEvent(event -> awaitIgnoringInterrupts());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().drainTimeoutMs(50));
    dispatcher.enqueueHot(Harness.hot(harness.stored()));
    Harness.eventually(() -> harness.listener.count() == 1);
    long start = System.nanoTime();

    dispatcher.close();

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void listenerThatReturnsAfterCloseIsWritten() {
    harness.onEvent(event -> awaitIgnoringInterrupts());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().drainTimeoutMs(0));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> harness.listener.count() == 1);
    dispatcher.close();

    held.countDown();

    harness.awaitDone(event);
  }

  @Test
  void tryThatFailsAfterCloseIsGivenBackWithoutAnAttempt() {
    harness.onEvent(
        event -> {
          awaitIgnoringInterrupts();
          throw new IllegalStateException("interrupted, and late");
        });
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().drainTimeoutMs(0));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    EventEnvelope event = harness.stored();
    poller.poll();
    Harness.eventually(() -> harness.listener.count() == 1);
    dispatcher.close();
    assertThat(harness.row(event).lockedBy()).isEqualTo("node-1");

    held.countDown();

    Harness.eventually(() -> harness.row(event).lockedBy() == null);
    assertThat(harness.row(event).event().attempts()).isZero();
  }

  @Test
  void interruptOfCloseDoesNotReachTheStatusWrite() {
    harness.onEvent(
        event -> {
          awaitIgnoringInterrupts();
          Thread.currentThread().interrupt(); // as well-behaved code does
        });
    ConnectionProvider pool = // like pools that refuse to wait on an interrupted thread
        () -> {
          if (Thread.interrupted()) {
            throw new SQLException("interrupted while waiting for a connection");
          }
          return harness.store.connections().getConnection();
        };
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().connectionProvider(pool).drainTimeoutMs(0));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> harness.listener.count() == 1);
    dispatcher.close();

    held.countDown();

    harness.awaitDone(event);
  }

  @Test
  void listenerMayCloseItsDispatcher() {
    AtomicReference<OutboxDispatcher> dispatcher = new AtomicReference<>();
    harness.onEvent(event -> dispatcher.get().close());
    dispatcher.set(harness.build(harness.dispatcher().drainTimeoutMs(100).workerCount(2)));
    EventEnvelope event = harness.stored();

    dispatcher.get().enqueueHot(Harness.hot(event));

    harness.awaitDone(event);
  }

  @Test
  void closeWritesWhatTheDatabaseRefusedBefore() {
    AtomicReference<SQLException> failure =
        new AtomicReference<>(new SQLException("connection refused", "08001"));
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher()
                .connectionProvider(
                    () -> {
                      if (failure.get() != null) {
                        throw failure.get();
                      }
                      return harness.store.connections().getConnection();
                    }));
    EventEnvelope event = harness.stored();
    dispatcher.enqueueHot(Harness.hot(event));
    Harness.eventually(() -> harness.listener.count() == 1);
    failure.set(null);

    dispatcher.close();

    assertThat(harness.status(event)).isEqualTo(EventStatus.DONE);
  }

  private void awaitIgnoringInterrupts() {
    Uninterruptibly.await(held, Duration.ofSeconds(60));
  }
}
