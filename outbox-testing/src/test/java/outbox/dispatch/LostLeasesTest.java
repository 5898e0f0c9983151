package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
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
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Harness harness = new Harness();
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
    harness.onEvent(
        event -> {
          if (ids(lost).contains(event.eventId())) {
            lose(event);
          }
          delivered.countDown();
        });

    deliver(new Patient());

    harness.awaitDone(kept.toArray(EventEnvelope[]::new));
    Harness.eventually(() -> harness.metrics.successes() == kept.size());
    assertThat(lost).extracting(harness::status).containsOnly(EventStatus.NEW);
    assertThat(writes).hasValueLessThan(20);
    assertThat(questions).hasValueLessThan(10);
  }

  @Test
  void storeThatCannotTellIsAskedInSmallerGroups() {
    List<EventEnvelope> events = harness.stored(EVENTS);
    EventEnvelope lost = events.get(EVENTS / 2);
    harness.onEvent(
        event -> {
          if (lost.eventId().equals(event.eventId())) {
            lose(event);
          }
          delivered.countDown();
        });

    deliver(
        new Patient() {
          @Override
          public List<Settlement> held(Connection connection, List<Settlement> settlements) {
            return settlements;
          }
        });

    Harness.eventually(() -> harness.metrics.successes() == EVENTS - 1);
    assertThat(harness.status(lost)).isEqualTo(EventStatus.NEW);
  }

  private void deliver(OutboxStore store) {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
    harness
        .build(
            harness
                .poller(dispatcher, store)
                .claimLocking("node-1", Harness.LONG)
                .batchSize(EVENTS))
        .poll();
  }

  private static List<EventEnvelope> everySecond(List<EventEnvelope> events, int from) {
    return events.stream().filter(event -> events.indexOf(event) % 2 == from).toList();
  }

  private static List<String> ids(List<EventEnvelope> events) {
    return events.stream().map(EventEnvelope::eventId).toList();
  }

  /** Its claim ran out, and nobody else has it yet. */
  private void lose(EventEnvelope event) {
    EventDetails row = harness.row(event);
    Claim claim = new Claim(row.lockedBy(), row.lockedAt(), Harness.LONG, System.nanoTime());
    harness.store.settle(
        null, List.of(new Settlement(event.eventId(), claim, new Outcome.Released())));
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
