package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.AggregateType;
import outbox.AsyncBatchEventListener;
import outbox.AsyncEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.Harness;

/** A listener whose stages don't end holds back nobody's events but its own. */
@Timeout(300)
class HungListenerTest {

  private static final int ASYNC_IN_FLIGHT = 32;

  private final Harness harness = new Harness();
  private final CompletableFuture<Object> answer = new CompletableFuture<>();
  private final Queue<String> sent = new ConcurrentLinkedQueue<>();
  private final Map<String, List<EventEnvelope>> events = new TreeMap<>();

  @AfterEach
  void close() {
    answer.complete("closed");
    harness.close();
  }

  private AsyncEventListener healthy() {
    return event -> {
      sent.add(event.eventId());
      return CompletableFuture.runAsync(() -> {});
    };
  }

  private OutboxDispatcher dispatcher(EventListener hung, int capacity) {
    return harness.build(
        harness
            .dispatcher()
            .workerCount(2)
            .asyncInFlight(ASYNC_IN_FLIGHT)
            .hotQueueCapacity(capacity)
            .coldQueueCapacity(capacity)
            .listenerRegistry(
                new DefaultListenerRegistry()
                    .register("Hung", hung)
                    .register("One", healthy())
                    .register("Other", healthy())));
  }

  private void store(int count) {
    for (int i = 0; i < count; i++) {
      String type = List.of("Hung", "One", "Other").get(i % 3);
      EventEnvelope event = EventEnvelope.ofJson(type, "{}");
      harness.store.insertNew(null, event);
      events.computeIfAbsent(type, t -> new ArrayList<>()).add(event);
    }
  }

  private void startPolling(OutboxDispatcher dispatcher) {
    OutboxPoller.Builder poller = harness.poller(dispatcher).batchSize(500).intervalMs(1000);
    harness.build(poller.claimLocking("node-1", Harness.LONG)).start();
  }

  private void othersGetTheirsAndTheHungOneLater() {
    harness.awaitDone(array("One"));
    harness.awaitDone(array("Other"));
    assertThat(events.get("Hung"))
        .allSatisfy(
            event -> {
              assertThat(harness.status(event)).isEqualTo(EventStatus.NEW);
              assertThat(harness.row(event).event().attempts()).isZero();
            });
    assertThat(sent)
        .hasSizeLessThanOrEqualTo(
            events.get("One").size() + events.get("Other").size() + ASYNC_IN_FLIGHT);

    answer.complete("at last");

    harness.awaitDone(array("Hung"));
    int all = events.values().stream().mapToInt(List::size).sum();
    assertThat(sent).hasSize(all).doesNotHaveDuplicates();
    assertThat(events.get("Hung"))
        .allSatisfy(event -> assertThat(harness.row(event).event().attempts()).isZero());
    assertThat(harness.metrics.failures()).isZero();
  }

  private EventEnvelope[] array(String type) {
    return events.get(type).toArray(EventEnvelope[]::new);
  }

  @Test
  void hungListenerHoldsBackNobodyElse() {
    AsyncEventListener hung =
        event -> {
          sent.add(event.eventId());
          return answer;
        };
    store(10_000);

    startPolling(dispatcher(hung, 800));

    othersGetTheirsAndTheHungOneLater();
  }

  @Test
  void hungBatchListenerHoldsBackNobodyElse() {
    AsyncBatchEventListener hung =
        (batch, result) -> {
          batch.forEach(event -> sent.add(event.eventId()));
          return answer;
        };
    store(2_000);

    startPolling(dispatcher(hung, 300));

    othersGetTheirsAndTheHungOneLater();
  }

  @Test
  void eventsOfAHungListenerAreOfNoUseUntilItAnswers() {
    AsyncBatchEventListener hung = (batch, result) -> answer;
    store(300);
    OutboxDispatcher dispatcher = dispatcher(hung, 100);
    assertThat(dispatcher.isHeldUp(AggregateType.GLOBAL.name(), "Hung")).isFalse();

    startPolling(dispatcher);

    Harness.eventually(() -> dispatcher.isHeldUp(AggregateType.GLOBAL.name(), "Hung"));
    assertThat(dispatcher.isHeldUp(AggregateType.GLOBAL.name(), "One")).isFalse();
    answer.complete("at last");
    Harness.eventually(() -> !dispatcher.isHeldUp(AggregateType.GLOBAL.name(), "Hung"));
  }

  @Test
  void eventsOfAListenerThatIsAwayAreOfNoUse() {
    AtomicBoolean away = new AtomicBoolean();
    AsyncBatchEventListener listener =
        new AsyncBatchEventListener() {
          @Override
          public CompletionStage<?> onEventsAsync(List<EventEnvelope> batch, BatchResult result) {
            return answer;
          }

          @Override
          public boolean isAway() {
            if (away.get()) {
              return true;
            }
            throw new IllegalStateException("who knows");
          }
        };
    OutboxDispatcher dispatcher = dispatcher(listener, 100);

    assertThat(dispatcher.isHeldUp(AggregateType.GLOBAL.name(), "Hung")).isFalse();
    away.set(true);
    assertThat(dispatcher.isHeldUp(AggregateType.GLOBAL.name(), "Hung")).isTrue();
    assertThat(dispatcher.isHeldUp(AggregateType.GLOBAL.name(), "nobody's")).isFalse();
  }

  @Test
  void withoutClaimsEventsStraightFromTheirCommitArePutOffToo() {
    OutboxDispatcher dispatcher =
        dispatcher(
            (AsyncEventListener)
                event -> {
                  sent.add(event.eventId());
                  return answer;
                },
            100);
    harness.build(harness.poller(dispatcher).intervalMs(1000)).start();
    OutboxWriter writer = harness.writer(dispatcher);
    for (int i = 0; i < 300; i++) {
      EventEnvelope event = EventEnvelope.ofJson("Hung", "{}");
      events.computeIfAbsent("Hung", t -> new ArrayList<>()).add(event);
      harness.write(writer, event);
    }
    Harness.eventually(() -> dispatcher.hotQueueSize() < 50 && dispatcher.coldQueueSize() < 50);

    store(30);

    othersGetTheirsAndTheHungOneLater();
  }
}
