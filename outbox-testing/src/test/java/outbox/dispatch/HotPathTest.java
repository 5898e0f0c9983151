package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.WriterHook;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.spi.Claim;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;
import outbox.testing.RecordingMetrics;
import outbox.testing.Uninterruptibly;

/** From the commit straight to the listener, or back to the database. */
class HotPathTest {

  private final Harness harness = new Harness();
  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void close() {
    held.countDown();
    harness.close();
  }

  @Test
  void committedEventIsDeliveredWithoutAPoll() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope event = Harness.event();

    harness.write(writer, event);

    harness.awaitDone(event);
    assertThat(harness.listener.events()).containsExactly(event);
    assertThat(harness.metrics.hotEnqueued()).isEqualTo(1);
  }

  @Test
  void nothingIsDeliveredBeforeTheCommitOrAfterARollback() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope event = Harness.event();
    harness.tx.begin();
    writer.write(event);
    assertThat(harness.metrics.hotEnqueued()).isZero();

    harness.tx.rollback();
    dispatcher.close();

    assertThat(harness.listener.count()).isZero();
    assertThat(harness.store.find(event.eventId())).isEmpty();
  }

  @Test
  void eventIsInsertedClaimedWhereThePollerClaims() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().workerCount(0));
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope event = Harness.event();

    harness.write(writer, event);

    EventDetails row = harness.row(event);
    assertThat(row.lockedBy()).isEqualTo("node-1");
    assertThat(row.lockedAt()).isNotNull();
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
  }

  @Test
  void eventIsInsertedUnclaimedWhereThePollerDoesNotClaim() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().workerCount(0));
    harness.build(harness.poller(dispatcher));
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope event = Harness.event();

    harness.write(writer, event);

    assertThat(harness.row(event).lockedBy()).isNull();
  }

  @Test
  void overflowCountsAndLeavesTheEventsInTheDatabase() {
    RecordingMetrics ownMetrics = new RecordingMetrics();
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).hotQueueCapacity(2));
    OutboxWriter writer =
        new OutboxWriter(
            harness.tx, harness.store, new DispatcherWriterHook(dispatcher, ownMetrics));
    EventEnvelope[] events = events(5);

    assertThatCode(() -> harness.write(writer, events)).doesNotThrowAnyException();

    assertThat(ownMetrics.hotDropped()).isEqualTo(3);
    assertThat(harness.metrics.hotEnqueued()).isEqualTo(2);
    assertThat(events).allSatisfy(e -> assertThat(harness.status(e)).isEqualTo(EventStatus.NEW));
  }

  @Test
  void overflowCountsInTheDispatchersMetricsByDefault() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).hotQueueCapacity(1));

    harness.write(harness.writer(dispatcher), events(3));

    assertThat(harness.metrics.hotDropped()).isEqualTo(2);
  }

  @Test
  void overflowIsPolledAtOnce() {
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().hotQueueCapacity(1).workerCount(2));
    harness.build(harness.poller(dispatcher)).start();
    EventEnvelope[] events = events(10);

    harness.write(harness.writer(dispatcher), events);
    held.countDown();

    harness.awaitDone(events);
    assertThat(harness.listener.count()).isEqualTo(10);
  }

  @Test
  void overflowGivesItsClaimsBackAndIsPolledAtOnce() {
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().hotQueueCapacity(1).workerCount(2));
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG)).start();
    EventEnvelope[] events = events(10);

    harness.write(harness.writer(dispatcher), events);
    held.countDown();

    harness.awaitDone(events);
    assertThat(harness.listener.count()).isEqualTo(10);
  }

  @Test
  void overflowIsPolledAfterItsClaimsAreGivenBackHoweverLongThatTakes() {
    CountDownLatch polledTooEarly = new CountDownLatch(2);
    OutboxStore store =
        new DelegatingStore(harness.store) {
          @Override
          public int releaseClaims(Connection connection, String owner, Collection<String> ids) {
            Uninterruptibly.await(polledTooEarly, Duration.ofMillis(100));
            return super.releaseClaims(connection, owner, ids);
          }

          @Override
          public List<Fetched> fetch(Connection connection, Fetch fetch) {
            polledTooEarly.countDown();
            return harness.store.fetch(connection, fetch);
          }
        };
    harness.onEvent(event -> held.await());
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store).hotQueueCapacity(1));
    harness.build(harness.poller(dispatcher, store).claimLocking("node-1", Harness.LONG)).start();
    Harness.eventually(() -> polledTooEarly.getCount() == 1);
    EventEnvelope[] events = events(5);

    harness.write(harness.writer(dispatcher), events);
    held.countDown();

    harness.awaitDone(events);
  }

  @Test
  void closedDispatcherLeavesEventsToOthers() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    OutboxWriter writer = harness.writer(dispatcher);
    EventEnvelope event = Harness.event();
    dispatcher.close();

    harness.write(writer, event);

    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
    assertThat(harness.row(event).lockedBy()).isNull();
    assertThat(harness.metrics.hotDropped()).isEqualTo(1);
  }

  @Test
  void claimThatExpiredBeforeDeliveryLeavesTheEventToOthers() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Duration.ofNanos(1)));
    EventEnvelope event = Harness.event();

    harness.write(harness.writer(dispatcher), event);
    dispatcher.close();

    assertThat(harness.listener.count()).isZero();
    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
  }

  @Test
  void eventsThatCouldNotBeInsertedClaimedAreLeftToThePoller() {
    OutboxStore plain =
        new DelegatingStore(harness.store) {
          @Override
          public boolean insertClaimed(
              Connection connection, List<EventEnvelope> events, Claim claim) {
            return false;
          }
        };
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    OutboxWriter writer = new OutboxWriter(harness.tx, plain, new DispatcherWriterHook(dispatcher));
    EventEnvelope[] events = events(3);

    harness.write(writer, events);
    poller.poll();

    harness.awaitDone(events);
  }

  @Test
  void hookCalledByHandQueuesTheEvents() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    WriterHook hook = new DispatcherWriterHook(dispatcher);
    EventEnvelope event = harness.stored();

    hook.afterCommit(List.of(event));

    harness.awaitDone(event);
  }

  @Test
  void missingPartsAreRefused() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());

    assertThatThrownBy(() -> new DispatcherWriterHook(null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new DispatcherWriterHook(dispatcher, null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new DispatcherPollerHandler(null))
        .isInstanceOf(NullPointerException.class);
  }

  private static EventEnvelope[] events(int count) {
    return IntStream.range(0, count).mapToObj(i -> Harness.event()).toArray(EventEnvelope[]::new);
  }
}
