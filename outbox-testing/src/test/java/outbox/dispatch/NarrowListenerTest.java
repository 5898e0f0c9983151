package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.AsyncBatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.testing.Harness;

/** Asynchronous listeners that have enough for the moment, and say so. */
@Timeout(120)
class NarrowListenerTest {

  private final Harness harness = new Harness();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void asynchronousListenerThatHasEnoughIsLeftAloneUntilABatchOfItsHasEnded() {
    Narrow narrow = new Narrow(10);
    OutboxDispatcher dispatcher = harness.build(dispatcher(narrow).workerCount(3));

    List<EventEnvelope> events = deliver(dispatcher, 100);
    for (int delivered = 0; delivered < events.size(); delivered += 10) {
      Harness.eventually(() -> narrow.underWay.get() == 10);
      narrow.endAll();
    }

    harness.awaitDone(events.toArray(EventEnvelope[]::new));
    assertThat(narrow.most).hasValue(10);
    assertThat(harness.metrics.successes()).isEqualTo(100);
  }

  @Test
  void closeDeliversWhatAListenerHadNoRoomForUntilThen() throws Exception {
    Narrow narrow = new Narrow(1);
    OutboxDispatcher dispatcher =
        harness.build(dispatcher(narrow).workerCount(2).drainTimeoutMs(60_000));
    narrow.underWay.incrementAndGet(); // by somebody else
    List<EventEnvelope> events = deliver(dispatcher, 1);

    Thread closing = new Thread(dispatcher::close);
    closing.start();
    narrow.underWay.decrementAndGet();
    Harness.eventually(() -> narrow.underWay.get() == 1);
    narrow.endAll();
    closing.join();

    assertThat(events).extracting(harness::status).containsOnly(EventStatus.DONE);
  }

  /** Takes so many at once, and says how many more. */
  private static final class Narrow implements AsyncBatchEventListener {

    private final int width;
    final AtomicInteger underWay = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();
    private final Queue<Runnable> ends = new ConcurrentLinkedQueue<>();

    Narrow(int width) {
      this.width = width;
    }

    @Override
    public CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      ends.add(
          () -> {
            underWay.addAndGet(-events.size());
            end.complete(null);
          });
      int now = underWay.addAndGet(events.size());
      most.accumulateAndGet(now, Math::max);
      return end;
    }

    @Override
    public int maxBatch() {
      return width - underWay.get();
    }

    void endAll() {
      for (int left = ends.size(); left > 0; left--) {
        ends.remove().run();
      }
    }
  }

  private OutboxDispatcher.Builder dispatcher(Narrow listener) {
    return harness
        .dispatcher()
        .listenerRegistry(new DefaultListenerRegistry().register(Harness.TYPE, listener));
  }

  private List<EventEnvelope> deliver(OutboxDispatcher dispatcher, int count) {
    List<EventEnvelope> events = harness.stored(count);
    events.forEach(
        event -> assertThat(dispatcher.enqueueHot(Harness.hot(event))).as("taken").isTrue());
    return events;
  }
}
