package outbox.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.spi.EventPurger;
import outbox.testing.Harness;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.MutableClock;

@Timeout(120)
class OutboxPurgeSchedulerTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  private final MutableClock clock = new MutableClock(NOW);
  private final InMemoryOutboxStore store = new InMemoryOutboxStore(clock);

  private OutboxPurgeScheduler.Builder scheduler(EventPurger purger) {
    return OutboxPurgeScheduler.builder()
        .connectionProvider(store.connections())
        .purger(purger)
        .clock(clock);
  }

  private void storeDone(int count) {
    for (int i = 0; i < count; i++) {
      EventEnvelope event = EventEnvelope.ofJson("T", "{}");
      store.insertNew(null, event);
      store.markDone(null, event.eventId());
    }
  }

  @Test
  void eventsAreKeptForTheirRetention() {
    storeDone(3);
    OutboxPurgeScheduler scheduler =
        scheduler(store.purger()).retention(Duration.ofDays(1)).build();

    clock.advance(Duration.ofDays(1));
    scheduler.runOnce();
    assertThat(store.count(EventStatus.DONE)).isEqualTo(3);

    clock.advance(Duration.ofNanos(1000));
    scheduler.runOnce();
    assertThat(store.count(EventStatus.DONE)).isZero();
  }

  @Test
  void retentionIsSevenDaysAndBatchesAreFiveHundredByDefault() {
    List<Instant> cutOffs = new ArrayList<>();
    List<Integer> limits = new ArrayList<>();
    EventPurger recording =
        (connection, before, limit) -> {
          cutOffs.add(before);
          limits.add(limit);
          return 0;
        };

    scheduler(recording).build().runOnce();

    assertThat(cutOffs).containsExactly(NOW.minus(Duration.ofDays(7)));
    assertThat(limits).containsExactly(500);
  }

  @Test
  void runGoesOnUntilABatchComesBackShort() {
    AtomicInteger batches = new AtomicInteger();
    EventPurger counting =
        (connection, before, limit) -> {
          batches.incrementAndGet();
          return store.purger().purge(connection, before, limit);
        };
    storeDone(25);

    scheduler(counting).retention(Duration.ZERO).batchSize(10).clock(later()).build().runOnce();

    assertThat(store.count(EventStatus.DONE)).isZero();
    assertThat(batches).hasValue(3);
  }

  @Test
  void everyBatchHasAConnectionOfItsOwn() {
    List<Connection> connections = new ArrayList<>();
    EventPurger recording =
        (connection, before, limit) -> {
          connections.add(connection);
          return connections.size() < 3 ? limit : 0;
        };

    scheduler(recording).build().runOnce();

    assertThat(new HashSet<>(connections)).hasSize(3);
    assertThat(connections).allSatisfy(c -> assertThat(c.isClosed()).isTrue());
  }

  @Test
  void failureIsLoggedAndTheNextRunTriesAgain() {
    AtomicInteger runs = new AtomicInteger();
    EventPurger failing =
        (connection, before, limit) -> {
          runs.incrementAndGet();
          throw new IllegalStateException("deadlock");
        };
    OutboxPurgeScheduler scheduler = scheduler(failing).build();
    OutboxPurgeScheduler unconnected =
        scheduler(failing)
            .connectionProvider(
                () -> {
                  throw new SQLException("connection refused");
                })
            .build();

    assertThatCode(scheduler::runOnce).doesNotThrowAnyException();
    assertThatCode(scheduler::runOnce).doesNotThrowAnyException();
    assertThatCode(unconnected::runOnce).doesNotThrowAnyException();

    assertThat(runs).hasValue(2);
  }

  @Test
  void firstPurgeRunsAtOnce() {
    storeDone(5);

    try (OutboxPurgeScheduler scheduler =
        scheduler(store.purger()).retention(Duration.ZERO).clock(later()).build()) {
      scheduler.start();

      Harness.eventually(() -> store.count(EventStatus.DONE) == 0);
    }
  }

  @Test
  void errorOfAPurgerDoesNotEndTheSchedule() {
    AtomicInteger runs = new AtomicInteger();
    EventPurger failing =
        (connection, before, limit) -> {
          if (runs.incrementAndGet() == 1) {
            throw new AssertionError("first");
          }
          return 0;
        };

    try (OutboxPurgeScheduler scheduler = scheduler(failing).intervalSeconds(1).build()) {
      scheduler.start();

      Harness.eventually(() -> runs.get() > 1);
    }
  }

  @Test
  void closeEndsAPurgeThatWouldGoOn() {
    CountDownLatch started = new CountDownLatch(1);
    EventPurger endless =
        (connection, before, limit) -> {
          started.countDown();
          return limit;
        };
    OutboxPurgeScheduler scheduler = scheduler(endless).build();
    scheduler.start();
    Harness.eventually(() -> started.getCount() == 0);

    assertThatCode(scheduler::close).doesNotThrowAnyException();
  }

  @Test
  void requiredPartsAreAskedFor() {
    assertThatThrownBy(() -> OutboxPurgeScheduler.builder().build())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("connectionProvider");
    assertThatThrownBy(() -> scheduler(null).build())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("purger");
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThatThrownBy(() -> scheduler(store.purger()).batchSize(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batchSize");
    assertThatThrownBy(() -> scheduler(store.purger()).intervalSeconds(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("interval");
    assertThatThrownBy(() -> scheduler(store.purger()).retention(Duration.ofDays(-1)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("retention");
    assertThatThrownBy(() -> scheduler(store.purger()).retention(null).build())
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> scheduler(store.purger()).clock(null).build())
        .isInstanceOf(NullPointerException.class);
  }

  private static MutableClock later() {
    return new MutableClock(NOW.plusSeconds(1));
  }
}
