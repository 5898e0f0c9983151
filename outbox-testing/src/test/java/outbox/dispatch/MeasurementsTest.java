package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.AsyncBatchEventListener;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;
import outbox.testing.Harness;
import outbox.util.JsonCodec;

/** What metrics are told beyond the specification. */
class MeasurementsTest {

  private final Harness harness = new Harness();
  private final Told told = new Told();

  /** Remembers what it is told, as text; times and counts apart. */
  private static final class Told implements MetricsExporter {

    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<Duration> latencies = new CopyOnWriteArrayList<>();
    final List<Duration> listenerTimes = new CopyOnWriteArrayList<>();
    final List<Duration> sinceLastBegun = new CopyOnWriteArrayList<>();
    final AtomicLong lastBegun = new AtomicLong();
    final List<Integer> completions = new CopyOnWriteArrayList<>();

    @Override
    public void recordDelivered(String eventType, Duration latency) {
      latencies.add(latency);
      lines.add("delivered " + eventType);
    }

    @Override
    public void recordFailed(String eventType) {
      lines.add("failed " + eventType);
    }

    @Override
    public void recordDead(String eventType) {
      lines.add("dead " + eventType);
    }

    @Override
    public void recordListenerTime(String eventType, boolean succeeded, Duration time) {
      sinceLastBegun.add(Duration.ofNanos(System.nanoTime() - lastBegun.get()));
      listenerTimes.add(time);
      lines.add("listener %s %s".formatted(eventType, succeeded));
    }

    @Override
    public void recordCompletions(int count) {
      completions.add(count);
    }

    @Override
    public void recordPoll(boolean succeeded, Duration time) {
      lines.add("poll " + succeeded);
    }

    @Override
    public void recordLeader(boolean isLeader) {
      lines.add("leader " + isLeader);
    }

    @Override
    public void incrementHotEnqueued() {}

    @Override
    public void incrementHotDropped() {}

    @Override
    public void incrementColdEnqueued() {}

    @Override
    public void incrementDispatchSuccess() {}

    @Override
    public void incrementDispatchFailure() {}

    @Override
    public void incrementDispatchDead() {}

    @Override
    public void recordQueueDepths(int hotDepth, int coldDepth) {}

    @Override
    public void recordOldestLagMs(long lagMs) {}
  }

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void eachTryIsToldByTypeAndByWhatItCameTo() {
    harness.failFirst(1);
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().metrics(told).retryPolicy(attempts -> 0));
    OutboxPoller poller = harness.build(harness.poller(dispatcher));
    poller.start();
    EventEnvelope event = harness.stored();

    poller.wake();
    harness.awaitDone(event);

    Harness.eventually(() -> told.lines.size() == 4);
    assertThat(told.lines)
        .containsExactly(
            "listener OrderPlaced false",
            "failed OrderPlaced",
            "listener OrderPlaced true",
            "delivered OrderPlaced");
    assertThat(told.completions.stream().mapToInt(Integer::intValue).sum()).isEqualTo(2);
  }

  @Test
  void whatNobodyListensToIsDeadAndTookNoListenersTime() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().metrics(told));
    EventEnvelope event = EventEnvelope.ofJson("Unknown", "{}");
    harness.store.insertNew(null, event);

    harness.build(harness.poller(dispatcher)).poll();

    Harness.eventually(() -> told.lines.contains("dead Unknown"));
    assertThat(told.lines).containsExactly("dead Unknown");
  }

  @Test
  void anEventFromTheTableIsLateSinceItWasDue() {
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(10));
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().metrics(told).clock(later));
    harness.stored();

    harness.build(harness.poller(dispatcher)).poll();

    Harness.eventually(() -> !told.latencies.isEmpty());
    assertThat(told.latencies.get(0)).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(20));
  }

  @Test
  void anEventThatWasHeldBackIsLateSinceItsTimeThoughATryFailed() {
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(30));
    harness.failFirst(1);
    OutboxDispatcher dispatcher =
        harness.build(harness.dispatcher().metrics(told).clock(later).retryPolicy(attempts -> 0));
    harness.store.insertNew(
        null,
        EventEnvelope.builder(Harness.TYPE)
            .payloadJson("{}")
            .availableAt(later.instant().minus(Duration.ofMinutes(10)))
            .build());

    harness.build(harness.poller(dispatcher).clock(later)).start();

    Harness.eventually(() -> !told.latencies.isEmpty());
    assertThat(told.lines).contains("failed OrderPlaced");
    assertThat(told.latencies.get(0)).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(20));
  }

  @Test
  void anEventStraightFromItsCommitIsLateSinceThen() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher().metrics(told));

    harness.write(harness.writer(dispatcher), Harness.event());

    Harness.eventually(() -> !told.latencies.isEmpty());
    assertThat(told.latencies.get(0)).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void aStageCountsUntilItEnds() {
    CompletableFuture<Void> stage = new CompletableFuture<>();
    AsyncEventListener listener = event -> stage;
    OutboxDispatcher dispatcher = harness.build(dispatcherTo(listener));
    harness.stored();

    harness.build(harness.poller(dispatcher)).poll();
    Harness.eventually(() -> dispatcher.coldQueueSize() == 0);
    assertThat(told.listenerTimes).isEmpty();
    stage.complete(null);

    Harness.eventually(() -> told.lines.contains("delivered OrderPlaced"));
    assertThat(told.lines).containsOnlyOnce("listener OrderPlaced true");
  }

  @Test
  void everyEventOfABatchIsTold() {
    BatchEventListener listener = (events, result) -> {};
    OutboxDispatcher dispatcher = harness.build(dispatcherTo(listener));
    harness.stored(5);

    harness.build(harness.poller(dispatcher)).poll();

    Harness.eventually(() -> told.latencies.size() == 5);
    assertThat(told.listenerTimes).hasSize(5);
    assertThat(told.completions.stream().mapToInt(Integer::intValue).sum()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBatchTakesNoTimeBeforeItsListenerIsCalled(boolean isAsync) {
    AsyncBatchEventListener async = (events, result) -> CompletableFuture.completedStage(null);
    BatchEventListener listener = isAsync ? async : (events, result) -> {};
    OutboxDispatcher dispatcher =
        harness.build(
            dispatcherTo(listener)
                .interceptor(
                    EventInterceptor.before(
                        event -> {
                          LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
                          told.lastBegun.set(System.nanoTime());
                        })));
    harness.stored(3);

    harness.build(harness.poller(dispatcher)).poll();

    Harness.eventually(() -> told.listenerTimes.size() == 3);
    for (int i = 0; i < 3; i++) {
      assertThat(told.listenerTimes.get(i)).isLessThan(told.sinceLastBegun.get(i));
    }
  }

  @Test
  void aPollerDeliversWhileItsPollsSucceedAndUntilItIsClosed() {
    boolean[] isAway = {false};
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    OutboxPoller poller =
        harness.build(
            harness
                .poller(dispatcher)
                .connectionProvider(() -> isAway[0] ? away() : connection())
                .metrics(told));

    poller.poll();
    isAway[0] = true;
    poller.poll();
    isAway[0] = false;
    poller.poll();
    poller.close();

    assertThat(told.lines)
        .containsExactly(
            "poll true",
            "leader true",
            "poll false",
            "leader false",
            "poll true",
            "leader true",
            "leader false");
  }

  @Test
  void aRowThatCannotBeReadIsToldToBeDead() {
    OutboxDispatcher dispatcher = harness.build(harness.dispatcher());
    harness.store.insertNew(
        null, EventEnvelope.builder("Broken").headers(Map.of("a", "b")).payloadJson("{}").build());
    OutboxPoller poller =
        harness.build(
            harness
                .poller(dispatcher)
                .metrics(told)
                .jsonCodec(
                    new JsonCodec() {
                      @Override
                      public String toJson(Map<String, String> headers) {
                        return "{}";
                      }

                      @Override
                      public Map<String, String> parseObject(String json) {
                        throw new IllegalArgumentException("not JSON");
                      }
                    }));

    poller.poll();

    assertThat(told.lines).contains("dead Broken");
  }

  private OutboxDispatcher.Builder dispatcherTo(EventListener listener) {
    return harness
        .dispatcher()
        .metrics(told)
        .listenerRegistry(new DefaultListenerRegistry().register(Harness.TYPE, listener));
  }

  private Connection connection() throws SQLException {
    return harness.store.connections().getConnection();
  }

  private static Connection away() throws SQLException {
    throw new SQLException("away");
  }
}
