package outbox.dispatch;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;
import outbox.testing.Uninterruptibly;

/** A node that was away for longer than its claims last finds out at once what it has lost. */
class LostLeasesTest {

  private static final int EVENTS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Harness harness = new Harness();
  private final CountDownLatch claimed = new CountDownLatch(1);
  private final CountDownLatch delivered = new CountDownLatch(EVENTS);
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger questions = new AtomicInteger();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void everySecondOfAGroupIsFoundLostInFewStatements() {
    List<EventEnvelope> events = harness.stored(EVENTS);
    List<EventEnvelope> lost = everySecond(events, 1);
    List<EventEnvelope> kept = everySecond(events, 0);

    deliver(new Patient(), lost);

    harness.awaitDone(kept.toArray(EventEnvelope[]::new));
    Harness.eventually(() -> harness.metrics.successes() == kept.size());
    assertThat(lost).extracting(event -> harness.row(event).lockedBy()).containsOnly("node-2");
    assertThat(writes).hasValueLessThan(20);
    assertThat(questions).hasValueLessThan(10);
  }

  @Test
  void storeThatCannotTellIsAskedInSmallerGroups() {
    List<EventEnvelope> events = harness.stored(EVENTS);
    EventEnvelope lost = events.get(EVENTS / 2);

    deliver(
        new Patient() {
          @Override
          public List<Settlement> held(Connection connection, List<Settlement> settlements) {
            return settlements;
          }
        },
        List.of(lost));

    Harness.eventually(() -> harness.metrics.successes() == EVENTS - 1);
    assertThat(harness.row(lost).lockedBy()).isEqualTo("node-2");
  }

  @Test
  void refusedRenewalAndTheEndOfTheEventAreOneLoss() {
    EventEnvelope lost = harness.stored();
    harness.onEvent(
        event -> {
          takeOver(event);
          Harness.eventually(() -> harness.metrics.lostLeases() > 0);
        });
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    Duration timeout = Duration.ofMillis(600);

    harness.build(harness.poller(dispatcher).claimLocking("node-1", timeout)).poll();
    Harness.eventually(() -> dispatcher.inFlightCount() == 0);
    dispatcher.close(); // by then all is reported

    assertThat(harness.row(lost).lockedBy()).isEqualTo("node-2");
    assertThat(harness.metrics.lostLeases()).isEqualTo(1);
  }

  /** Some are taken over while they are being delivered, after all were claimed. */
  private void deliver(OutboxStore store, List<EventEnvelope> lost) {
    Set<String> ids = lost.stream().map(EventEnvelope::eventId).collect(toSet());
    harness.onEvent(
        event -> {
          Uninterruptibly.await(claimed, PATIENCE);
          if (ids.contains(event.eventId())) {
            takeOver(event);
          }
          delivered.countDown();
        });
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
    harness
        .build(
            harness
                .poller(dispatcher, store)
                .claimLocking("node-1", Harness.LONG)
                .batchSize(EVENTS))
        .poll();
    claimed.countDown();
  }

  private static List<EventEnvelope> everySecond(List<EventEnvelope> events, int from) {
    return events.stream().filter(event -> events.indexOf(event) % 2 == from).toList();
  }

  private void takeOver(EventEnvelope event) {
    EventDetails row = harness.row(event);
    Claim claim = new Claim(row.lockedBy(), row.lockedAt(), Harness.LONG, System.nanoTime());
    harness.store.settle(
        null, List.of(new Settlement(event.eventId(), claim, new Outcome.Released())));
    Instant now = harness.store.clock().instant();
    List<OutboxEvent> taken =
        harness.store.claimPending(null, "node-2", now, now.minus(Harness.LONG), Duration.ZERO, 1);
    assertThat(taken).extracting(OutboxEvent::eventId).containsExactly(event.eventId());
  }

  /** Writes nothing before all is delivered, so that what comes then is one group. */
  private class Patient extends DelegatingStore {

    Patient() {
      super(harness.store);
    }

    @Override
    public List<Fetched> fetch(Connection connection, Fetch fetch) {
      return harness.store.fetch(connection, fetch);
    }

    @Override
    public int settle(Connection connection, List<Settlement> settlements) {
      writes.incrementAndGet();
      Uninterruptibly.await(delivered, PATIENCE);
      return harness.store.settle(connection, settlements);
    }

    @Override
    public List<Settlement> held(Connection connection, List<Settlement> settlements) {
      questions.incrementAndGet();
      return harness.store.held(connection, settlements);
    }
  }
}
