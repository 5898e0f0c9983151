package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.testing.RecordingWriterHook.Step;

class FixturesTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  @Test
  void clockStandsStillUntilItIsMoved() {
    MutableClock clock = new MutableClock(NOW);
    Clock elsewhere = clock.withZone(ZoneId.of("Asia/Tokyo"));

    assertThat(clock.instant()).isEqualTo(NOW);

    clock.advance(Duration.ofSeconds(5));
    assertThat(clock.instant()).isEqualTo(NOW.plusSeconds(5));
    assertThat(elsewhere.instant()).isEqualTo(NOW.plusSeconds(5));
    assertThat(elsewhere.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));

    clock.set(NOW);
    assertThat(clock.instant()).isEqualTo(NOW);
  }

  @Test
  void listenerRemembersFailedCallsToo() throws Exception {
    EventEnvelope event = EventEnvelope.ofJson("T", "{}");
    RecordingListener accepting = new RecordingListener();
    RecordingListener failing =
        new RecordingListener(
            e -> {
              throw new IllegalStateException("refused");
            });

    accepting.onEvent(event);
    assertThatThrownBy(() -> failing.onEvent(event)).hasMessage("refused");

    assertThat(accepting.events()).containsExactly(event);
    assertThat(failing.eventIds()).containsExactly(event.eventId());
    assertThat(failing.count()).isEqualTo(1);
  }

  @Test
  void metricsAreCounted() {
    RecordingMetrics metrics = new RecordingMetrics();
    assertThat(metrics.oldestLagMs()).isEqualTo(RecordingMetrics.NO_LAG);

    metrics.incrementHotEnqueued();
    metrics.incrementHotDropped();
    metrics.incrementColdEnqueued();
    metrics.incrementDispatchSuccess();
    metrics.incrementDispatchFailure();
    metrics.incrementDispatchDead();
    metrics.recordQueueDepths(3, 4);
    metrics.recordOldestLagMs(5);

    assertThat(
            List.of(
                metrics.hotEnqueued(),
                metrics.hotDropped(),
                metrics.coldEnqueued(),
                metrics.successes(),
                metrics.failures(),
                metrics.dead()))
        .containsOnly(1);
    assertThat(metrics.hotDepth()).isEqualTo(3);
    assertThat(metrics.coldDepth()).isEqualTo(4);
    assertThat(metrics.oldestLagMs()).isEqualTo(5);
  }

  @Test
  void transactionOfWorkThatFailsIsRolledBack() {
    InMemoryOutboxStore store = new InMemoryOutboxStore();
    StubTxContext tx = new StubTxContext(store.connections());
    RecordingWriterHook hook = new RecordingWriterHook();
    OutboxWriter writer = new OutboxWriter(tx, store, hook);

    assertThatThrownBy(
            () ->
                tx.inTransaction(
                    () -> {
                      writer.write("T", "{}");
                      throw new IllegalStateException("business says no");
                    }))
        .hasMessage("business says no");

    assertThat(store.count(EventStatus.NEW)).isZero();
    assertThat(hook.steps()).endsWith(Step.AFTER_ROLLBACK);
    assertThat(tx.isTransactionActive()).isFalse();
  }

  @Test
  void contextWithoutConnectionsRunsCallbacksOnly() {
    StubTxContext tx = new StubTxContext();
    List<String> calls = new ArrayList<>();
    tx.begin();
    tx.afterCommit(() -> calls.add("committed"));

    assertThat(tx.currentConnection()).isNull();
    tx.commit();

    assertThat(calls).containsExactly("committed");
  }

  @Test
  void everyCallbackRunsThoughOneFails() {
    StubTxContext tx = new StubTxContext();
    List<String> calls = new ArrayList<>();
    tx.begin();
    tx.afterCommit(
        () -> {
          throw new IllegalStateException("first");
        });
    tx.afterCommit(
        () -> {
          throw new IllegalStateException("second");
        });
    tx.afterCommit(() -> calls.add("third"));

    assertThatThrownBy(tx::commit)
        .hasMessage("first")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));

    assertThat(calls).containsExactly("third");
    assertThat(tx.isTransactionActive()).isFalse();
  }

  @Test
  void oneTransactionAtATime() {
    StubTxContext tx = new StubTxContext();
    tx.begin();

    assertThatThrownBy(tx::begin).isInstanceOf(IllegalStateException.class);
    tx.rollback();
    assertThatThrownBy(tx::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(tx::rollback).isInstanceOf(IllegalStateException.class);
  }
}
