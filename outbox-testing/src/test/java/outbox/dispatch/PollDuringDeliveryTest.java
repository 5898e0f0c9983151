package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;

/** A poll can meet an event on either side of the moment at which its status is written. */
class PollDuringDeliveryTest {

  /** Polls when a status has been written and the event is still in flight. */
  private static final class PollingTracker implements InFlightTracker {

    private final InFlightTracker tracker = new DefaultInFlightTracker();
    private final AtomicReference<OutboxPoller> poller = new AtomicReference<>();

    @Override
    public boolean tryAcquire(String eventId) {
      return tracker.tryAcquire(eventId);
    }

    @Override
    public void release(String eventId) {
      poller.get().poll();
      tracker.release(eventId);
    }
  }

  private final Harness harness = new Harness();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void claimedRetryIsDeliveredThoughItsFirstTryIsStillInFlight() {
    harness.failFirst(1);
    PollingTracker tracker = new PollingTracker();
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().inFlightTracker(tracker).retryPolicy(tries -> 0));
    tracker.poller.set(
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG)));
    EventEnvelope event = harness.stored();

    tracker.poller.get().poll();

    harness.awaitDone(event);
    assertThat(harness.listener.count()).isEqualTo(2);
    assertThat(harness.row(event).event().attempts()).isEqualTo(1);
  }

  @Test
  void polledRetryIsDeliveredThoughItsFirstTryIsStillInFlight() {
    harness.failFirst(1);
    PollingTracker tracker = new PollingTracker();
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().inFlightTracker(tracker).retryPolicy(tries -> 0));
    tracker.poller.set(harness.build(harness.poller(dispatcher)));
    EventEnvelope event = harness.stored();

    tracker.poller.get().poll();

    harness.awaitDone(event);
    assertThat(harness.listener.count()).isEqualTo(2);
  }

  @Test
  void eventThatEndedSinceItWasFetchedIsNotDeliveredAgain() {
    CountDownLatch fetched = new CountDownLatch(1);
    harness.onEvent(event -> fetched.await());
    DefaultInFlightTracker tracker = new DefaultInFlightTracker();
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().inFlightTracker(tracker));
    EventEnvelope event = harness.stored();
    DelegatingStore slow =
        new DelegatingStore(harness.store) {
          @Override
          public List<OutboxEvent> pollPending(
              Connection connection, Instant now, Duration skipRecent, int limit) {
            List<OutboxEvent> rows = super.pollPending(connection, now, skipRecent, limit);
            fetched.countDown();
            Harness.eventually(() -> isFree(tracker, event));
            return rows;
          }
        };
    OutboxPoller poller = harness.build(harness.poller(dispatcher, slow));
    dispatcher.enqueueHot(Harness.hot(event));

    poller.poll();
    dispatcher.close();

    assertThat(harness.listener.eventIds()).containsExactly(event.eventId());
    assertThat(harness.status(event)).isEqualTo(EventStatus.DONE);
  }

  @Test
  void eventThatThePollerDeliversBeforeItsWriterGetsToItIsNotDeliveredAgain() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller poller = harness.build(harness.poller(dispatcher));
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope event = Harness.event();
    harness.tx.begin();
    harness.tx.afterCommit(
        () -> {
          poller.poll();
          harness.awaitDone(event);
        });
    writer.write(event);

    harness.tx.commit();
    dispatcher.close();

    assertThat(harness.listener.eventIds()).containsExactly(event.eventId());
    assertThat(harness.metrics.hotDropped()).isZero();
  }

  @Test
  void eventWhoseIdIsWrittenAgainAfterARollbackIsDelivered() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.build(harness.poller(dispatcher));
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope event = Harness.event();
    harness.tx.begin();
    writer.write(event);
    harness.tx.rollback();

    harness.write(writer, event);

    harness.awaitDone(event);
  }

  private static boolean isFree(DefaultInFlightTracker tracker, EventEnvelope event) {
    InFlightTracker.Hold hold = tracker.acquire(event.eventId());
    if (hold != null) {
      hold.release();
    }
    return hold != null;
  }
}
