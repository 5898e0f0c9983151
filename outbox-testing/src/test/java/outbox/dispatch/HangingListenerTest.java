package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.AsyncBatchEventListener;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.testing.Harness;

/** A listener that never ends its events, beside two that do. */
@Timeout(180)
class HangingListenerTest {

  private static final int EVENTS = 400;

  private final Harness harness = new Harness();
  private final Queue<CompletableFuture<Object>> hanging = new ConcurrentLinkedQueue<>();
  private final AsyncEventListener hangs = event -> hang();
  private final AsyncEventListener ends = event -> CompletableFuture.completedFuture(null);
  private final AsyncEventListener alsoEnds = event -> CompletableFuture.completedFuture(null);

  @AfterEach
  void close() {
    hanging.forEach(stage -> stage.complete("closed"));
    harness.close();
  }

  private CompletionStage<?> hang() {
    CompletableFuture<Object> stage = new CompletableFuture<>();
    hanging.add(stage);
    return stage;
  }

  private CompletionStage<?> end() {
    return CompletableFuture.completedFuture(null);
  }

  private ListenerRegistry registry() {
    return registry(hangs, ends, alsoEnds);
  }

  private static ListenerRegistry registry(EventListener first, EventListener b, EventListener c) {
    return new DefaultListenerRegistry()
        .register("Hanging", first)
        .register("B", b)
        .register("C", c);
  }

  private List<EventEnvelope> stored(int count, String... types) {
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      for (String type : types) {
        EventEnvelope event = EventEnvelope.ofJson(type, "{}");
        harness.store.insertNew(null, event);
        events.add(event);
      }
    }
    return events;
  }

  private static EventEnvelope[] of(List<EventEnvelope> events, String... types) {
    return events.stream()
        .filter(event -> List.of(types).contains(event.eventType()))
        .toArray(EventEnvelope[]::new);
  }

  /** Small enough to be full many times over. */
  private OutboxDispatcher.Builder dispatcher(ListenerRegistry registry) {
    return harness
        .dispatcher()
        .listenerRegistry(registry)
        .workerCount(2)
        .asyncInFlight(16)
        .coldQueueCapacity(40)
        .drainTimeoutMs(50);
  }

  private OutboxPoller.Builder poller(OutboxDispatcher dispatcher, boolean claims) {
    OutboxPoller.Builder poller = harness.poller(dispatcher).batchSize(10).intervalMs(50);
    return claims ? poller.claimLocking("node-1", Harness.LONG) : poller;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void othersAreDeliveredFromTheTable(boolean claims) {
    List<EventEnvelope> events = stored(EVENTS, "Hanging", "B", "C");
    OutboxDispatcher dispatcher = harness.build(dispatcher(registry()));

    harness.build(poller(dispatcher, claims)).start();

    harness.awaitDone(of(events, "B", "C"));
    assertThat(hanging).hasSizeLessThan(16);
    assertThat(of(events, "Hanging")).extracting(harness::status).containsOnly(EventStatus.NEW);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void othersAreFoundBehindALongRowOfIts(boolean claims) {
    stored(EVENTS, "Hanging");
    List<EventEnvelope> others = stored(EVENTS, "B", "C");
    OutboxDispatcher dispatcher = harness.build(dispatcher(registry()));

    harness.build(poller(dispatcher, claims)).start();

    // Nothing else was seen yet, so the first may have had all slots; but it is not alone.
    Harness.eventually(() -> dispatcher.coldQueueSize() > 20);
    hanging.forEach(stage -> stage.complete("late"));
    harness.awaitDone(of(others, "B", "C"));
  }

  @Test
  void othersAreDeliveredBesideABatchListenerThatHangsOnItsWorker() {
    CompletableFuture<Object> never = new CompletableFuture<>();
    hanging.add(never);
    BatchEventListener stuck = (batch, result) -> never.join();
    List<EventEnvelope> events = stored(EVENTS, "Hanging", "B", "C");
    OutboxDispatcher dispatcher =
        harness.build(dispatcher(registry(stuck, harness.listener, harness.listener)));

    harness.build(poller(dispatcher, true)).start();

    harness.awaitDone(of(events, "B", "C"));
    never.complete("late");
  }

  @Test
  void batchesOfOthersAreDeliveredBesideHangingOnes() {
    List<EventEnvelope> events = stored(EVENTS, "Hanging", "B", "C");
    OutboxDispatcher dispatcher =
        harness.build(
            dispatcher(
                registry(new Batches(this::hang), new Batches(this::end), new Batches(this::end))));

    harness.build(poller(dispatcher, true)).start();

    harness.awaitDone(of(events, "B", "C"));
  }

  @Test
  void itGoesOnFromTheTableWhenItIsBack() {
    List<EventEnvelope> events = stored(EVENTS, "Hanging", "B", "C");
    OutboxDispatcher dispatcher = harness.build(dispatcher(registry()));
    harness.build(poller(dispatcher, true)).start();
    harness.awaitDone(of(events, "B", "C"));

    Harness.eventually(
        () -> {
          hanging.forEach(stage -> stage.complete("late"));
          return events.stream().allMatch(event -> harness.status(event) == EventStatus.DONE);
        });
  }

  @Test
  void listenerThatIsAloneHasAllSlots() {
    List<EventEnvelope> events = stored(100, "Hanging");
    OutboxDispatcher dispatcher = harness.build(dispatcher(registry()));

    harness.build(poller(dispatcher, true)).start();

    Harness.eventually(() -> hanging.size() == 16);
    assertThat(events).extracting(harness::status).containsOnly(EventStatus.NEW);
  }

  @Test
  void closeGivesBackWhatHangsAndWhatWaits() {
    List<EventEnvelope> events = stored(EVENTS, "Hanging", "B", "C");
    OutboxDispatcher dispatcher = harness.build(dispatcher(registry()));
    OutboxPoller poller = harness.build(poller(dispatcher, true));
    poller.start();
    harness.awaitDone(of(events, "B", "C"));

    poller.close();
    dispatcher.close();

    assertThat(of(events, "Hanging"))
        .allSatisfy(
            event -> {
              assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
              assertThat(harness.row(event).event().attempts()).isZero();
              assertThat(harness.row(event).lockedBy()).isNull();
            });
    assertThat(dispatcher.inFlightCount()).isZero();
  }

  /** Each batch ends with a stage of its own. */
  private record Batches(Starts starts) implements AsyncBatchEventListener {

    interface Starts {
      CompletionStage<?> stage();
    }

    @Override
    public CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result) {
      return starts.stage();
    }
  }
}
