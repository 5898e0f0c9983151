package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.OutboxWriter;
import outbox.WriteResult;
import outbox.model.EventStatus;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;
import outbox.testing.StubTxContext;

/** No more events are claimed than the hot queue has room for, whatever their transactions do. */
class HotRoomTest {

  private static final int CAPACITY = 3;

  private final Harness harness = new Harness();
  private final AtomicInteger released = new AtomicInteger();
  private OutboxDispatcher claiming;

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void transactionOfManyWritesClaimsWhatFitsAndReleasesNothing() {
    OutboxWriter writer = claimingWriter(Harness.LONG);
    List<EventEnvelope> events = events(50);

    harness.tx.inTransaction(() -> events.forEach(writer::write));

    assertThat(events).filteredOn(this::isClaimed).isEqualTo(events.subList(0, CAPACITY));
    assertThat(harness.metrics.hotEnqueued()).isEqualTo(CAPACITY);
    assertThat(harness.metrics.hotDropped()).isEqualTo(50 - CAPACITY);
    assertThat(released).hasValue(0);
  }

  @Test
  void transactionsUnderWayShareTheRoom() {
    OutboxWriter writer = claimingWriter(Harness.LONG);
    EventEnvelope early = Harness.event();
    harness.tx.begin();
    events(CAPACITY - 1).forEach(writer::write);
    StubTxContext other = new StubTxContext(harness.store.connections());
    OutboxWriter otherWriter = writerOn(other);

    other.begin();
    otherWriter.write(early);
    EventEnvelope late = Harness.event();
    otherWriter.write(late);
    other.commit();

    assertThat(isClaimed(early)).isTrue();
    assertThat(isClaimed(late)).isFalse();
  }

  @Test
  void batchIsClaimedAsAWholeOrNotAtAll() {
    OutboxWriter writer = claimingWriter(Harness.LONG);
    List<EventEnvelope> tooMany = events(CAPACITY + 1);
    List<EventEnvelope> justFits = events(CAPACITY);

    harness.tx.inTransaction(() -> writer.writeAll(tooMany));
    harness.tx.inTransaction(() -> writer.writeAll(justFits));

    assertThat(tooMany).noneMatch(this::isClaimed);
    assertThat(justFits).allMatch(this::isClaimed);
  }

  @Test
  void rollbackGivesTheRoomBack() {
    OutboxWriter writer = claimingWriter(Harness.LONG);
    harness.tx.begin();
    writer.writeAll(events(CAPACITY));

    harness.tx.rollback();

    assertRoomFor(CAPACITY, writer);
  }

  @Test
  void rollbackToASavepointGivesTheRoomBackInTheEnd() throws SQLException {
    OutboxWriter writer = claimingWriter(Harness.LONG);
    harness.tx.begin();
    Savepoint savepoint = harness.tx.currentConnection().setSavepoint();
    writer.writeAll(events(CAPACITY));
    harness.tx.currentConnection().rollback(savepoint);

    harness.tx.commit();

    assertThat(harness.metrics.hotEnqueued()).isZero();
    assertRoomFor(CAPACITY, writer);
  }

  @Test
  void deliveryGivesTheRoomBack() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().hotQueueCapacity(CAPACITY));
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    OutboxWriter writer = harness.writer(dispatcher);

    for (int i = 0; i < 10; i++) {
      EventEnvelope[] events = events(CAPACITY).toArray(EventEnvelope[]::new);
      harness.write(writer, events);
      harness.awaitDone(events);
    }

    assertThat(harness.metrics.hotDropped()).isZero();
  }

  @Test
  void insertThatFailsOrFindsTheIdTakenGivesTheRoomBack() {
    OutboxWriter writer = claimingWriter(Harness.LONG);
    EventEnvelope there = harness.stored();
    harness.tx.begin();

    for (int i = 0; i < 2 * CAPACITY; i++) {
      assertThatThrownBy(() -> writer.write(there)).isInstanceOf(OutboxException.class);
      assertThat(writer.writeIfAbsent(there)).isEqualTo(WriteResult.ALREADY_THERE);
    }
    harness.tx.commit();

    assertRoomFor(CAPACITY, writer);
    assertThat(isClaimed(there)).isFalse();
  }

  @Test
  void eventThatWasAbsentIsClaimedAndDeliveredHot() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    EventEnvelope event = Harness.event();
    OutboxWriter writer = harness.writer(dispatcher);

    harness.tx.inTransaction(() -> writer.writeIfAbsent(event));
    harness.tx.inTransaction(() -> writer.writeIfAbsent(event));

    harness.awaitDone(event);
    dispatcher.close();
    assertThat(harness.listener.count()).isEqualTo(1);
  }

  @Test
  void abandonedTransactionKeepsTheRoomNoLongerThanItsClaim() {
    OutboxWriter writer = claimingWriter(Duration.ofMillis(50));
    harness.tx.begin();
    writer.writeAll(events(CAPACITY));
    StubTxContext other = new StubTxContext(harness.store.connections());
    OutboxWriter otherWriter = writerOn(other);

    Harness.eventually(
        () -> {
          EventEnvelope event = Harness.event();
          other.inTransaction(() -> otherWriter.write(event));
          return isClaimed(event);
        });
  }

  @Test
  void withoutClaimsNoMoreEventsAreKeptThanTenForEachPlace() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).hotQueueCapacity(CAPACITY));
    OutboxWriter writer = harness.writer(dispatcher);
    List<EventEnvelope> events = events(100);
    harness.tx.begin();
    events.forEach(writer::write);

    assertThat(dispatcher.hot().reserveToKeep(this, events(1))).isZero();
    harness.tx.commit();

    assertThat(harness.metrics.hotEnqueued()).isEqualTo(CAPACITY);
    assertThat(harness.metrics.hotDropped()).isEqualTo(100 - CAPACITY);
    assertThat(dispatcher.hot().reserveToKeep(this, events(100))).isEqualTo(10 * CAPACITY);
    assertThat(harness.store.count(EventStatus.NEW)).isEqualTo(100);
  }

  @Test
  void transactionKeepsNoMoreBytesThanTheDispatcherMayHave() {
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().workerCount(0).queueBytes(10_000));
    OutboxWriter writer = harness.writer(dispatcher);
    String payload = "\"" + "x".repeat(3_000) + "\"";
    harness.tx.begin();
    IntStream.range(0, 10).forEach(i -> writer.write(Harness.TYPE, payload));

    assertThat(dispatcher.hot().reserveToKeep(this, events(1))).isZero();
    harness.tx.commit();

    assertThat(harness.metrics.hotEnqueued()).isEqualTo(2);
    assertThat(harness.metrics.hotDropped()).isEqualTo(8);
  }

  @Test
  void withoutClaimsWhatWasNotKeptIsPolled() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().hotQueueCapacity(1));
    harness.build(harness.poller(dispatcher)).start();
    OutboxWriter writer = harness.writer(dispatcher);
    List<EventEnvelope> events = events(100);

    harness.tx.inTransaction(() -> events.forEach(writer::write));

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    assertThat(harness.listener.count()).isEqualTo(100);
  }

  private void assertRoomFor(int count, OutboxWriter writer) {
    List<EventEnvelope> events = events(count);
    harness.tx.inTransaction(() -> writer.writeAll(events));
    assertThat(events).allMatch(this::isClaimed);
  }

  private boolean isClaimed(EventEnvelope event) {
    return harness.row(event).lockedBy() != null;
  }

  /** Nothing is delivered, so that the queue stays as full as the writer makes it. */
  private OutboxWriter claimingWriter(Duration lockTimeout) {
    DelegatingStore counting =
        new DelegatingStore(harness.store) {
          @Override
          public int releaseClaims(Connection connection, String owner, Collection<String> ids) {
            released.addAndGet(ids.size());
            return super.releaseClaims(connection, owner, ids);
          }
        };
    claiming =
        harness.build(harness.dispatcher(counting).workerCount(0).hotQueueCapacity(CAPACITY));
    harness.build(harness.poller(claiming).claimLocking("node-1", lockTimeout));
    return harness.writer(claiming);
  }

  private OutboxWriter writerOn(StubTxContext tx) {
    return new OutboxWriter(tx, harness.store, new DispatcherWriterHook(claiming));
  }

  private static List<EventEnvelope> events(int count) {
    return IntStream.range(0, count).mapToObj(i -> Harness.event()).toList();
  }
}
