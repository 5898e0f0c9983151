package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;
import outbox.testing.Uninterruptibly;

/** A tracker that forgets lets an event in twice, and both ends may be written in one group. */
class SameEventTwiceTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int OTHERS = 20;

  private static final InFlightTracker FORGETFUL =
      new InFlightTracker() {
        @Override
        public boolean tryAcquire(String eventId) {
          return true;
        }

        @Override
        public void release(String eventId) {}
      };

  private final Harness harness = new Harness();
  private final CountDownLatch queued = new CountDownLatch(1);
  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch delivered = new CountDownLatch(1);
  private final List<List<String>> groups = new CopyOnWriteArrayList<>();
  private final EventEnvelope first = harness.stored();
  private final EventEnvelope twice = harness.stored();
  private final List<EventEnvelope> others = harness.stored(OTHERS);
  private final EventEnvelope last = harness.stored();
  private final OutboxDispatcher dispatcher =
      harness.build(harness.dispatcher(new Patient()).inFlightTracker(FORGETFUL));

  @AfterEach
  void close() {
    harness.close();
  }

  @ParameterizedTest
  @CsvSource({"ok, ok, 1, 0", "ok, failed, 1, 0", "failed, ok, 1, 1"})
  void endIsWrittenOnceAndCountsOnce(String one, String other, int successes, int failures) {
    deliver(null, null, List.of(one, other));

    assertThat(harness.status(twice)).isEqualTo(EventStatus.DONE);
    assertThat(harness.metrics.successes()).isEqualTo(OTHERS + 2 + successes);
    assertThat(harness.metrics.failures()).isEqualTo(failures);
  }

  @Test
  void eventThatFailedTwiceIsTriedAgain() {
    deliver(null, null, List.of("failed", "failed"));

    assertThat(harness.status(twice)).isEqualTo(EventStatus.RETRY);
    assertThat(harness.metrics.successes()).isEqualTo(OTHERS + 2);
  }

  @Test
  void onlyTheTryUnderTheClaimThatHoldsIsWritten() {
    Instant now = harness.store.clock().instant().truncatedTo(ChronoUnit.MICROS);
    Claim before = new Claim("node-1", now, Harness.LONG, System.nanoTime());
    Claim holding = new Claim("node-1", now.plusMillis(1), Harness.LONG, System.nanoTime());
    harness.store.claimPending(null, "node-1", now, now, Duration.ZERO, 2);
    harness.store.settle(
        null, List.of(new Settlement(twice.eventId(), before, new Outcome.Kept(holding))));
    assertThat(harness.row(twice).lockedAt()).isEqualTo(holding.lockedAt());

    deliver(before, holding, List.of("failed", "ok"));

    assertThat(harness.status(twice)).isEqualTo(EventStatus.DONE);
    assertThat(harness.metrics.failures()).isZero();
    assertThat(harness.metrics.lostLeases()).isEqualTo(1);
  }

  /** One after the other, while the end of the first event is being written. */
  private void deliver(Claim oneClaim, Claim otherClaim, List<String> results) {
    Deque<String> left = new ArrayDeque<>(results);
    harness.onEvent(
        event -> {
          Uninterruptibly.await(event.equals(first) ? queued : writing, PATIENCE);
          if (event.equals(last)) {
            delivered.countDown();
          } else if (event.eventId().equals(twice.eventId()) && left.remove().equals("failed")) {
            throw new IllegalStateException("refused");
          }
        });
    enqueue(first, null);
    enqueue(twice, oneClaim);
    others.forEach(event -> enqueue(event, null));
    enqueue(twice, otherClaim);
    enqueue(last, null);
    queued.countDown();

    Uninterruptibly.await(delivered, PATIENCE);
    dispatcher.close();

    assertThat(groups.get(1)).filteredOn(twice.eventId()::equals).hasSize(2);
    assertThat(others).extracting(harness::status).containsOnly(EventStatus.DONE);
    assertThat(dispatcher.inFlightCount()).isZero();
  }

  private void enqueue(EventEnvelope event, Claim claim) {
    Lease lease = claim == null ? null : new Lease(claim, false);
    assertThat(dispatcher.enqueueFetched(Harness.cold(event, 0), lease, null)).isTrue();
  }

  /** Ends no write before all is delivered, so that what comes next is one group. */
  private final class Patient extends DelegatingStore {

    Patient() {
      super(harness.store);
    }

    @Override
    public int settle(Connection connection, List<Settlement> settlements) {
      groups.add(settlements.stream().map(Settlement::eventId).toList());
      writing.countDown();
      Uninterruptibly.await(delivered, PATIENCE);
      return harness.store.settle(connection, settlements);
    }

    @Override
    public List<Settlement> held(Connection connection, List<Settlement> settlements) {
      return harness.store.held(connection, settlements);
    }
  }
}
