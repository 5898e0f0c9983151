package outbox.dead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.dead.BatchProgress.State;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.spi.DeadBatch;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.MutableClock;

/** Pages of dead events, and what is done with many of them. */
@Timeout(120)
class DeadBatchesTest {

  private static final DeadFilter ALL = DeadFilter.all();
  private static final BatchOptions OPTIONS = BatchOptions.defaults();

  private final MutableClock clock = new MutableClock(Instant.parse("2030-01-02T03:04:05Z"));
  private final InMemoryOutboxStore store = new InMemoryOutboxStore(clock);
  private final DeadEventManager manager = manager(store);

  private DeadEventManager manager(OutboxStore on) {
    return new DeadEventManager(store.connections(), on);
  }

  private List<String> dead(int count) {
    return IntStream.range(0, count).mapToObj(i -> dead("T")).toList();
  }

  private String dead(String eventType) {
    EventEnvelope event = EventEnvelope.ofJson(eventType, "{}");
    store.insertNew(null, event);
    store.markDead(null, event.eventId(), "no use");
    return event.eventId();
  }

  @Test
  void pagesFollowOneAnother() {
    List<String> dead = dead(5);
    List<String> seen = new ArrayList<>();

    Optional<DeadQuery> next = Optional.of(DeadQuery.of(ALL).withLimit(2));
    while (next.isPresent()) {
      DeadPage page = manager.page(next.get());
      page.events().forEach(event -> seen.add(event.event().eventId()));
      next = page.next();
    }

    assertThat(seen).isEqualTo(dead);
    assertThat(manager.count(ALL, 3)).isEqualTo(3);
    assertThat(manager.count(ALL, 100)).isEqualTo(5);
  }

  @Test
  void onlyWhatMatchesIsReplayed() {
    dead(25);
    dead("Other");

    BatchProgress end = manager.replay(ALL.withEventType("T"), OPTIONS.withBatchSize(10));

    assertThat(end).isEqualTo(new BatchProgress(State.COMPLETED, 25, 25, 0));
    assertThat(store.count(EventStatus.NEW)).isEqualTo(25);
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(1);
  }

  @Test
  void dryRunCountsAndChangesNothing() {
    dead(25);

    BatchProgress end = manager.replay(ALL, OPTIONS.asDryRun());

    assertThat(end).isEqualTo(new BatchProgress(State.DRY_RUN, 25, 0, 0));
    assertThat(manager.discard(ALL, "no use", OPTIONS.asDryRun()).matched()).isEqualTo(25);
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(25);
  }

  @Test
  void eventThatDiesAgainIsNotReplayedAgain() {
    dead(25);
    AtomicInteger replays = new AtomicInteger();
    DeadEventManager deadly =
        manager(
            new DelegatingStore(store) {
              @Override
              public DeadBatch replayDead(Connection connection, DeadQuery query) {
                clock.advance(Duration.ofMillis(1));
                List<EventDetails> page = queryDead(connection, query);
                DeadBatch batch = super.replayDead(connection, query);
                page.forEach(row -> markDead(connection, row.event().eventId(), "again"));
                replays.addAndGet(batch.changed());
                return batch;
              }
            });

    assertThat(deadly.replay(ALL, OPTIONS.withBatchSize(4)).changed()).isEqualTo(25);
    assertThat(deadly.replayAll(null, null, 4)).isEqualTo(25);

    assertThat(replays).hasValue(50);
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(25);
  }

  @Test
  void whatDiesAfterTheStartIsLeft() {
    dead(10);
    List<String> late = new ArrayList<>();
    BatchOptions meanwhile =
        OPTIONS
            .withBatchSize(5)
            .reportingTo(
                progress -> {
                  clock.advance(Duration.ofMillis(1));
                  late.add(dead("T"));
                });

    BatchProgress end = manager.replay(ALL, meanwhile);

    assertThat(end.changed()).isEqualTo(10);
    assertThat(late)
        .isNotEmpty()
        .allSatisfy(
            id -> assertThat(manager.find(id).orElseThrow().status()).isEqualTo(EventStatus.DEAD));
  }

  @Test
  void filterThatEndsBeforeTheStartIsKept() {
    dead(3);
    Instant before = clock.instant();
    clock.advance(Duration.ofHours(1));
    dead(2);

    DeadFilter early = ALL.withDied(null, before.plusSeconds(1));
    DeadFilter future = ALL.withDied(clock.instant().plusSeconds(60), null);

    assertThat(manager.replay(early, OPTIONS).changed()).isEqualTo(3);
    assertThat(manager.replay(future, OPTIONS).matched()).isZero();
  }

  @Test
  void someoneElsesEventsAreSkipped() {
    dead(10);
    BatchOptions contended =
        OPTIONS.withBatchSize(4).reportingTo(progress -> manager.replayAll(null, null, 100));

    BatchProgress end = manager.replay(ALL, contended);

    assertThat(end).isEqualTo(new BatchProgress(State.COMPLETED, 10, 4, 6));
  }

  @Test
  void signalStopsHalfWay() {
    dead(100);
    StopSignal stop = new StopSignal();

    BatchProgress end =
        manager.replay(
            ALL,
            OPTIONS
                .withBatchSize(10)
                .stoppedBy(stop)
                .reportingTo(
                    progress -> {
                      if (progress.changed() == 30) {
                        stop.stop();
                      }
                    }));

    assertThat(end).isEqualTo(new BatchProgress(State.STOPPED, 100, 30, 0));
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(70);
    assertThat(manager.replay(ALL, OPTIONS).changed()).isEqualTo(70);
  }

  @Test
  void signalEndsTheWaitBetweenBatches() throws Exception {
    dead(100);
    StopSignal stop = new StopSignal();
    BatchOptions slow = OPTIONS.withEventsPerSecond(1).stoppedBy(stop);

    CompletableFuture<BatchProgress> run =
        CompletableFuture.supplyAsync(() -> manager.replay(ALL, slow));
    Harness.eventually(() -> store.count(EventStatus.NEW) > 0);
    stop.stop();

    assertThat(run.get(60, TimeUnit.SECONDS).state()).isEqualTo(State.STOPPED);
  }

  @Test
  void interruptStopsHalfWayAndIsKept() {
    dead(100);

    BatchProgress end =
        manager.replay(
            ALL,
            OPTIONS
                .withBatchSize(10)
                .withEventsPerSecond(10)
                .reportingTo(progress -> Thread.currentThread().interrupt()));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(end).isEqualTo(new BatchProgress(State.STOPPED, 100, 10, 0));
  }

  @Test
  void rateIsKept() {
    dead(50);
    List<Integer> batches = new ArrayList<>();
    long began = System.nanoTime();

    manager.replay(
        ALL,
        OPTIONS
            .withEventsPerSecond(100)
            .withBatchSize(10)
            .reportingTo(progress -> batches.add(progress.changed())));

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(390));
    assertThat(batches).startsWith(10, 20, 30, 40, 50);
  }

  @Test
  void batchIsNeverMoreThanASecondsWorth() {
    dead(3);
    List<Integer> batches = new ArrayList<>();
    StopSignal stop = new StopSignal();

    manager.replay(
        ALL,
        OPTIONS
            .withEventsPerSecond(2)
            .stoppedBy(stop)
            .reportingTo(
                progress -> {
                  batches.add(progress.changed());
                  stop.stop();
                }));

    assertThat(batches).startsWith(2);
  }

  @Test
  void discardedEventsAreDoneAndSayWhy() {
    List<String> dead = dead(25);
    String one = dead("Other");

    assertThat(manager.discard(one, "sent by hand")).isTrue();
    assertThat(manager.discard(one, "sent by hand")).isFalse();
    assertThat(manager.discard("unknown", "sent by hand")).isFalse();
    BatchProgress end = manager.discard(ALL, "obsolete", OPTIONS.withBatchSize(10));

    assertThat(end).isEqualTo(new BatchProgress(State.COMPLETED, 25, 25, 0));
    EventDetails row = manager.find(dead.get(0)).orElseThrow();
    assertThat(row.isDiscarded()).isTrue();
    assertThat(row.lastError()).isEqualTo("discarded: obsolete; died of no use");
    assertThat(manager.count(null)).isZero();
    assertThat(manager.replay(one)).isFalse();
  }

  @Test
  void discardNeedsAReason() {
    dead(1);

    for (String reason : new String[] {"", "  ", "x".repeat(501)}) {
      assertThatThrownBy(() -> manager.discard(ALL, reason, OPTIONS))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("reason");
    }
    assertThatThrownBy(() -> manager.discard("id", null)).isInstanceOf(NullPointerException.class);
    assertThat(store.count(EventStatus.DEAD)).isEqualTo(1);
  }

  @Test
  void failingDatabaseEndsItWithWhatWasDone() {
    dead(25);
    AtomicInteger batches = new AtomicInteger();
    DeadEventManager failing =
        manager(
            new DelegatingStore(store) {
              @Override
              public DeadBatch replayDead(Connection connection, DeadQuery query) {
                DeadBatch batch = super.replayDead(connection, query);
                if (batches.incrementAndGet() == 2) {
                  throw new OutboxException("connection lost", new SQLException("lost"));
                }
                return batch;
              }
            });
    DeadEventManager unconnected =
        new DeadEventManager(
            () -> {
              throw new SQLException("connection refused");
            },
            store);

    assertThat(failing.replay(ALL, OPTIONS.withBatchSize(10)))
        .isEqualTo(new BatchProgress(State.FAILED, 25, 10, 0));
    assertThat(store.count(EventStatus.NEW)).isEqualTo(10);
    assertThat(unconnected.replay(ALL, OPTIONS).state()).isEqualTo(State.FAILED);
    assertThat(unconnected.page(DeadQuery.of(ALL)).events()).isEmpty();
    assertThat(unconnected.count(ALL, 10)).isZero();
    assertThat(unconnected.discard("id", "reason")).isFalse();
  }

  @Test
  void largeBatchesOfTheSpecifiedReplayAreAllowed() {
    dead(3);

    assertThat(manager.replayAll("T", null, 5000)).isEqualTo(3);
  }

  @Test
  void impossibleOptionsAreRefused() {
    assertThatThrownBy(() -> OPTIONS.withBatchSize(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batchSize must be between 1 and 1000, got: 0");
    assertThatThrownBy(() -> OPTIONS.withBatchSize(1001))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OPTIONS.withEventsPerSecond(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eventsPerSecond");
    assertThatThrownBy(() -> OPTIONS.stoppedBy(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> OPTIONS.reportingTo(null)).isInstanceOf(NullPointerException.class);
  }
}
