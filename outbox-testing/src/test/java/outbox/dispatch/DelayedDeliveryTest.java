package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;

/** Events that are written now and delivered later. */
class DelayedDeliveryTest {

  private static final Duration SOON = Duration.ofMillis(300);

  private final Harness harness = new Harness();
  private final List<Instant> delivered = new ArrayList<>();

  @AfterEach
  void close() {
    harness.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void heldBackEventIsPolledWhenItIsDueHoweverLongTheInterval(boolean claims) {
    harness.onEvent(event -> delivered.add(now()));
    OutboxWriter writer = startNode(claims);
    Instant due = now().plus(SOON);
    EventEnvelope event = at(due);

    harness.write(writer, event);

    harness.awaitDone(event);
    assertThat(delivered).singleElement().satisfies(time -> assertThat(time).isAfter(due));
    assertThat(harness.metrics.hotEnqueued()).isZero();
    assertThat(harness.metrics.hotDropped()).isZero();
    assertThat(harness.listener.events().get(0).availableAt()).isEqualTo(due);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void timeThatHasPassedMeansNow(boolean claims) {
    OutboxWriter writer = startNode(claims);
    EventEnvelope event = at(Instant.EPOCH);

    harness.write(writer, event);

    harness.awaitDone(event);
  }

  @Test
  void heldBackEventIsInsertedFreeAmongClaimedOnes() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().workerCount(0));
    harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    EventEnvelope prompt = Harness.event();
    EventEnvelope later = at(now().plus(Harness.LONG));
    EventEnvelope alone = at(now().plus(Harness.LONG));

    OutboxWriter writer = harness.writer(dispatcher);
    harness.write(writer, later, prompt);
    harness.tx.inTransaction(() -> writer.writeIfAbsent(alone));

    assertThat(harness.row(prompt).lockedBy()).isEqualTo("node-1");
    assertThat(harness.row(later).lockedBy()).isNull();
    assertThat(harness.row(alone).lockedBy()).isNull();
    assertThat(harness.metrics.hotEnqueued()).isEqualTo(1);
  }

  @Test
  void severalEventsWithoutClaimStayOneBatch() {
    List<Integer> batches = new ArrayList<>();
    DelegatingStore counting =
        new DelegatingStore(harness.store) {
          @Override
          public void insertBatch(Connection connection, List<EventEnvelope> events) {
            batches.add(events.size());
            super.insertBatch(connection, events);
          }
        };
    OutboxWriter writer = new OutboxWriter(harness.tx, counting);

    harness.write(writer, Harness.event(), at(now().plus(Harness.LONG)), Harness.event());

    assertThat(batches).containsExactly(3);
  }

  @Test
  void earlyPollFindsNothing() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller poller =
        harness.build(harness.poller(dispatcher).claimLocking("node-1", Harness.LONG));
    EventEnvelope event = at(now().plus(Harness.LONG));

    harness.write(harness.writer(dispatcher), event);
    poller.poll();
    dispatcher.close();

    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
    assertThat(harness.listener.count()).isZero();
  }

  @Test
  void hookCalledByHandHoldsTheEventBackToo() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    EventEnvelope later = at(now().plus(Harness.LONG));
    EventEnvelope prompt = harness.stored();
    harness.store.insertNew(null, later);

    new DispatcherWriterHook(dispatcher).afterCommit(List.of(later, prompt));

    harness.awaitDone(prompt);
    dispatcher.close();
    assertThat(harness.listener.events()).containsExactly(prompt);
  }

  @Test
  void farthestTimeWakesNobody() {
    OutboxWriter writer = startNode(true);
    EventEnvelope event = at(Instant.parse("9999-12-31T23:59:59.999999Z"));
    EventEnvelope prompt = Harness.event();

    harness.write(writer, event);
    harness.write(writer, prompt);

    harness.awaitDone(prompt);
    assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
  }

  private OutboxWriter startNode(boolean claims) {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller.Builder poller = harness.poller(dispatcher);
    harness.build(claims ? poller.claimLocking("node-1", Harness.LONG) : poller).start();
    return harness.writer(dispatcher);
  }

  private static EventEnvelope at(Instant due) {
    return EventEnvelope.builder(Harness.TYPE).availableAt(due).payloadJson("{}").build();
  }

  private static Instant now() {
    return Clock.systemUTC().instant();
  }
}
