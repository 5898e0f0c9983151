package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.spi.Claim;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.Harness;
import outbox.testing.SettlingStore;
import outbox.testing.Uninterruptibly;

/** Who may deliver an event, for how long, and what is left of it afterwards. */
class LeaseTest {

  /** Far longer than a busy machine keeps a thread waiting: nobody loses one by himself. */
  private static final Duration SHORT = Duration.ofMillis(1500);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Harness harness = new Harness();
  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void close() {
    held.countDown();
    harness.close();
  }

  @Test
  void leaseIsRenewedWhileTheListenerRunsAndWhileTheEventWaits() {
    harness.onEvent(event -> Uninterruptibly.await(held, PATIENCE));
    OutboxPoller poller = claimingPoller("node-1", SHORT, harness.dispatcher());
    OutboxPoller other = claimingPoller("node-2", SHORT, harness.dispatcher());
    List<EventEnvelope> events = harness.stored(2);
    poller.poll();
    Instant start = harness.row(events.get(0)).lockedAt();

    events.forEach(
        event ->
            Harness.eventually(() -> harness.row(event).lockedAt().isAfter(start.plus(SHORT))));
    other.poll();
    held.countDown();

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    assertThat(harness.listener.count()).isEqualTo(2);
    Harness.eventually(() -> harness.metrics.successes() == 2);
  }

  @Test
  void nodeThatLostItsLeaseChangesNothingAndCountsNoSuccess() {
    CountDownLatch returned = new CountDownLatch(1);
    harness.onEvent(
        event -> {
          takeOver("node-2", event);
          returned.countDown();
        });
    OutboxPoller poller = claimingPoller("node-1", Harness.LONG, harness.dispatcher());
    EventEnvelope lost = harness.stored();

    poller.poll();
    Uninterruptibly.await(returned, PATIENCE);
    harness.onEvent(event -> {});
    EventEnvelope next = harness.stored();
    poller.poll();
    Harness.eventually(() -> harness.metrics.successes() > 0);

    assertThat(harness.status(next)).isEqualTo(EventStatus.DONE);
    assertThat(harness.status(lost)).isEqualTo(EventStatus.NEW);
    assertThat(harness.row(lost).lockedBy()).isEqualTo("node-2");
    Harness.eventually(() -> harness.metrics.lostLeases() == 1);
    assertThat(harness.metrics.successes()).isEqualTo(1);
  }

  @Test
  void lostLeaseInAGroupDoesNotConcernTheOthers() {
    List<EventEnvelope> events = harness.stored(50);
    harness.onEvent(
        event -> {
          if (event.eventId().equals(events.get(20).eventId())) {
            takeOver("node-2", event);
          }
        });
    OutboxPoller poller = claimingPoller("node-1", Harness.LONG, harness.dispatcher());

    poller.poll();

    events.stream().filter(event -> event != events.get(20)).forEach(harness::awaitDone);
    Harness.eventually(() -> harness.metrics.successes() == 49);
    assertThat(harness.row(events.get(20)).lockedBy()).isEqualTo("node-2");
  }

  @Test
  void tryOfATakenOverEventCountsBeforeItIsMade() {
    AtomicInteger countedBefore = new AtomicInteger(-1);
    harness.onEvent(event -> countedBefore.set(harness.row(event).event().attempts()));
    EventEnvelope event = leftBehind(2);

    claimingPoller("node-1", Harness.LONG, harness.dispatcher()).poll();

    harness.awaitDone(event);
    assertThat(countedBefore).hasValue(3);
  }

  @Test
  void takenOverEventIsNotTriedIfOthersGotItWhileItsStartWasWritten() {
    EventEnvelope event = leftBehind(2);
    OutboxStore slow =
        settling(
            outcome -> {
              if (outcome instanceof Outcome.Started) {
                assertThat(isDown(held, SHORT)).isFalse();
                takeOver("node-2", event);
              }
            });
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(slow));

    harness.build(harness.poller(dispatcher, slow).claimLocking("node-1", SHORT)).poll();

    Harness.eventually(() -> dispatcher.inFlightCount() == 0);
    dispatcher.close();
    assertThat(harness.listener.count()).isZero();
    assertThat(harness.row(event).lockedBy()).isEqualTo("node-2");
    assertThat(harness.metrics.lostLeases()).isEqualTo(1);
  }

  @Test
  void statusIsWrittenThoughTheAnswerToARenewalWasLost() {
    CountDownLatch unanswered = new CountDownLatch(1);
    OutboxStore store =
        settling(
            outcome -> {
              if (outcome instanceof Outcome.Kept && unanswered.getCount() > 0) {
                unanswered.countDown();
                throw new OutboxException("no answer", new SQLTransientConnectionException());
              }
            });
    harness.onEvent(event -> Uninterruptibly.await(unanswered, PATIENCE));
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
    EventEnvelope event = harness.stored();

    harness.build(harness.poller(dispatcher, store).claimLocking("node-1", SHORT)).poll();

    harness.awaitDone(event);
    Harness.eventually(() -> harness.metrics.successes() == 1);
    assertThat(harness.listener.count()).isEqualTo(1);
  }

  @Test
  void leaseIsKeptThoughTheAnswerToARenewalWasLost() {
    AtomicInteger renewals = new AtomicInteger();
    OutboxStore store =
        settling(
            outcome -> {
              if (outcome instanceof Outcome.Kept && renewals.incrementAndGet() <= 2) {
                throw new OutboxException("no answer", new SQLTransientConnectionException());
              }
            });
    harness.onEvent(event -> Harness.eventually(() -> renewals.get() > 4));
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
    EventEnvelope event = harness.stored();

    harness.build(harness.poller(dispatcher, store).claimLocking("node-1", SHORT)).poll();

    harness.awaitDone(event);
    assertThat(harness.listener.count()).isEqualTo(1);
  }

  @Test
  void failedTryOfATakenOverEventCountsOnce() {
    harness.failFirst(1);
    EventEnvelope event = leftBehind(2);

    claimingPoller(
            "node-1", Harness.LONG, harness.dispatcher().retryPolicy(a -> Harness.LONG.toMillis()))
        .poll();

    harness.awaitStatus(EventStatus.RETRY, event);
    assertThat(harness.row(event).event().attempts()).isEqualTo(3);
  }

  @Test
  void eventThatKilledItsProcessTooOftenIsDeadWithoutAnotherTry() {
    EventEnvelope event = leftBehind(10);

    claimingPoller("node-1", Harness.LONG, harness.dispatcher().maxAttempts(10)).poll();

    harness.awaitStatus(EventStatus.DEAD, event);
    EventDetails row = harness.row(event);
    assertThat(row.event().attempts()).isEqualTo(10);
    assertThat(row.lastError()).contains("started 10 times", "process died");
    assertThat(harness.listener.count()).isZero();
  }

  @Test
  void eventsThatMayHaveKilledTheirProcessAreTriedOneAfterTheOtherBesideAllOthers() {
    List<EventEnvelope> suspects = harness.leftBehind(5, 1);
    AtomicInteger trying = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch othersDone = new CountDownLatch(1);
    harness.onEvent(
        event -> {
          if (suspects.stream().anyMatch(suspect -> suspect.eventId().equals(event.eventId()))) {
            most.accumulateAndGet(trying.incrementAndGet(), Math::max);
            Uninterruptibly.await(othersDone, PATIENCE);
            trying.decrementAndGet();
          }
        });
    OutboxPoller poller =
        claimingPoller("node-1", Harness.LONG, harness.dispatcher().workerCount(2));

    poller.poll();
    List<EventEnvelope> others = harness.stored(20);
    poller.poll();
    harness.awaitDone(others.toArray(EventEnvelope[]::new));
    othersDone.countDown();

    harness.awaitDone(suspects.toArray(EventEnvelope[]::new));
    assertThat(most).hasValue(1);
    assertThat(harness.listener.count()).isEqualTo(25);
  }

  @Test
  void closeGivesBackWhatWaitsForAnEventThatMayHaveKilledItsProcess() {
    List<EventEnvelope> suspects = harness.leftBehind(3, 1);
    CountDownLatch running = new CountDownLatch(1);
    harness.onEvent(
        event -> {
          running.countDown();
          held.await();
        });
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().drainTimeoutMs(0));
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG)).poll();
    Uninterruptibly.await(running, PATIENCE);

    dispatcher.close();

    assertThat(suspects).extracting(event -> harness.row(event).lockedBy()).containsOnlyNulls();
    assertThat(suspects).extracting(event -> harness.row(event).event().attempts()).containsOnly(1);
    assertThat(dispatcher.inFlightCount()).isZero();
  }

  @Test
  void tryThatCloseInterruptsDoesNotCountThoughItHadStarted() {
    CountDownLatch running = new CountDownLatch(1);
    harness.onEvent(
        event -> {
          running.countDown();
          held.await();
        });
    EventEnvelope event = leftBehind(2);
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().drainTimeoutMs(0));
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG)).poll();
    Uninterruptibly.await(running, PATIENCE);
    assertThat(harness.row(event).event().attempts()).isEqualTo(3);

    dispatcher.close();

    assertThat(harness.row(event).event().attempts()).isEqualTo(2);
    assertThat(harness.row(event).lockedBy()).isNull();
  }

  @Test
  void closeGivesBackWhatIsJustBeingRenewed() {
    CountDownLatch renewing = new CountDownLatch(1);
    CountDownLatch givenBack = new CountDownLatch(1);
    AtomicBoolean isEarly = new AtomicBoolean();
    OutboxStore slow =
        settling(
            outcome -> {
              if (outcome instanceof Outcome.Kept) {
                renewing.countDown();
                isEarly.compareAndSet(false, isDown(givenBack, SHORT.dividedBy(2)));
              } else {
                givenBack.countDown();
              }
            });
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(slow).drainTimeoutMs(0));
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher, slow).claimLocking("node-1", SHORT));
    List<EventEnvelope> events = harness.stored(2);
    poller.poll();
    Uninterruptibly.await(renewing, PATIENCE);

    dispatcher.close();

    assertThat(isEarly).isFalse();
    assertThat(events).extracting(event -> harness.row(event).lockedBy()).containsOnlyNulls();
  }

  @Test
  void deliveredEventIsDeletedWhereNoHistoryIsKept() {
    OutboxPoller poller =
        claimingPoller(
            "node-1", Harness.LONG, harness.dispatcher().completion(CompletionMode.DELETE));
    EventEnvelope event = harness.stored();

    poller.poll();

    Harness.eventually(() -> harness.store.find(event.eventId()).isEmpty());
    assertThat(harness.listener.count()).isEqualTo(1);
    Harness.eventually(() -> harness.metrics.successes() == 1);
  }

  /** The store, with something to do after each status write and before it is committed. */
  private OutboxStore settling(Consumer<Outcome> then) {
    return new SettlingStore(harness.store) {
      @Override
      public int settle(Connection connection, List<Settlement> settlements) {
        int changed = super.settle(connection, settlements);
        then.accept(settlements.get(0).outcome());
        return changed;
      }
    };
  }

  private static boolean isDown(CountDownLatch latch, Duration patience) {
    try {
      return latch.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private OutboxPoller claimingPoller(
      String ownerId, Duration timeout, OutboxDispatcher.Builder dispatcher) {
    return harness.build(
        harness.poller(harness.build(dispatcher)).claimLocking(ownerId, timeout).batchSize(100));
  }

  private EventEnvelope leftBehind(int attempts) {
    return harness.leftBehind(1, attempts).get(0);
  }

  private void takeOver(String ownerId, EventEnvelope event) {
    EventDetails row = harness.row(event);
    harness.settle(
        event,
        new Claim(row.lockedBy(), row.lockedAt(), Harness.LONG, System.nanoTime()),
        new Outcome.Released());
    Instant now = harness.store.clock().instant();
    List<OutboxEvent> taken =
        harness.store.claimPending(null, ownerId, now, now.minus(Harness.LONG), Duration.ZERO, 1);
    assertThat(taken).extracting(OutboxEvent::eventId).containsExactly(event.eventId());
  }
}
