package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.Harness;
import outbox.testing.SettlingStore;
import outbox.testing.Uninterruptibly;

/** Statuses of an outage that are written late, in many groups of which each takes long. */
class SlowGroupsTest {

  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A bit more than claims go unrenewed. */
  private static final Duration SLOW = Duration.ofMillis(1200);

  private static final int EVENTS = 400;

  private final Harness harness = new Harness();
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private final AtomicBoolean away = new AtomicBoolean(true);

  @AfterEach
  void close() {
    held.countDown();
    harness.close();
  }

  @Test
  void claimsAreRenewedBetweenThem() {
    EventEnvelope running = harness.stored();
    SlowStore store = new SlowStore(running);
    harness.onEvent(
        event -> {
          if (event.eventId().equals(running.eventId())) {
            Uninterruptibly.await(held, PATIENCE);
          }
        });
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store).workerCount(2));
    OutboxPoller poller =
        harness.build(
            harness.poller(dispatcher, store).batchSize(EVENTS + 1).claimLocking("node", LEASE));
    List<EventEnvelope> others = harness.stored(EVENTS);
    poller.poll();
    Harness.eventually(() -> store.refused.size() == EVENTS);

    away.set(false);

    others.forEach(event -> harness.awaitStatus(EventStatus.DONE, event));
    assertThat(store.lockedAtInEachGroup).hasSizeGreaterThan(3);
    assertThat(store.lockedAtInEachGroup.get(3)).isAfter(store.lockedAtInEachGroup.get(0));
  }

  /** Fails until the database is back, and then takes its time. */
  private final class SlowStore extends SettlingStore {

    private final EventEnvelope running;
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final List<Instant> lockedAtInEachGroup = new CopyOnWriteArrayList<>();

    SlowStore(EventEnvelope running) {
      super(harness.store);
      this.running = running;
    }

    @Override
    public int settle(Connection connection, List<Settlement> settlements) {
      if (settlements.get(0).outcome() instanceof Outcome.Delivered) {
        if (away.get()) {
          settlements.forEach(settlement -> refused.add(settlement.eventId()));
          throw new OutboxException("away", new SQLTransientConnectionException("away"));
        }
        lockedAtInEachGroup.add(harness.row(running).lockedAt());
        Uninterruptibly.await(never, SLOW);
      }
      return super.settle(connection, settlements);
    }
  }
}
