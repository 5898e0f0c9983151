package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.AsyncBatchEventListener;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxException;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.spi.Settlement;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;

/** Whatever throws, and however often: every event ends as it should, after the right tries. */
@Timeout(60)
class EverythingBreaksTest {

  private static final int EVENTS = 300;

  /** What an event is to go through, by its number. */
  private static final int[] FAILURES = {0, 1, 2, 3};

  private static final int MOST_TRIES = 3;

  private final Harness harness = new Harness();
  private final Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();

  enum Kind {
    PLAIN,
    ASYNC,
    BATCH,
    ASYNC_BATCH
  }

  @AfterEach
  void close() {
    harness.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyEventEndsAsItShould(Kind kind) {
    OutboxDispatcher dispatcher =
        harness.build(
            harness
                .dispatcher(failingOneSettlementInTen())
                .listenerRegistry(
                    new DefaultListenerRegistry().register(Harness.TYPE, listener(kind)))
                .metrics(throwingMetrics())
                .retryPolicy(EverythingBreaksTest::throwEveryOtherTime)
                .interceptor(
                    EventInterceptor.after(
                        (event, error) -> {
                          throw new AssertionError("audit");
                        }))
                .errorRedactor(
                    (event, failure) -> {
                      throw new StackOverflowError();
                    })
                .maxAttempts(MOST_TRIES)
                .workerCount(3)
                .hotQueueCapacity(50));
    harness
        .build(
            harness
                .poller(dispatcher, failingOneSettlementInTen())
                .metrics(throwingMetrics())
                .claimLocking("node-1", Harness.LONG)
                .intervalMs(10))
        .start();
    EventEnvelope[] events = new EventEnvelope[EVENTS];
    Arrays.setAll(events, i -> event(FAILURES[i % FAILURES.length]));
    OutboxWriter writer = harness.writer(dispatcher);

    for (EventEnvelope event : events) {
      harness.write(writer, event);
    }

    assertThat(events).allSatisfy(this::assertEnded);
  }

  private void assertEnded(EventEnvelope event) {
    int failures = failuresOf(event);
    boolean dies = failures >= MOST_TRIES;
    harness.awaitStatus(dies ? EventStatus.DEAD : EventStatus.DONE, event);
    assertThat(harness.row(event).event().attempts()).isEqualTo(Math.min(failures, MOST_TRIES));
    assertThat(tries.get(event.eventId())).hasValue(dies ? MOST_TRIES : failures + 1);
  }

  private static EventEnvelope event(int failures) {
    return EventEnvelope.ofJson(Harness.TYPE, Integer.toString(failures));
  }

  private static int failuresOf(EventEnvelope event) {
    return Integer.parseInt(event.payloadJson());
  }

  /** Fails as often as the event says. */
  private void handle(EventEnvelope event) {
    int tried = tries.computeIfAbsent(event.eventId(), id -> new AtomicInteger()).incrementAndGet();
    if (tried <= failuresOf(event)) {
      throw new LinkageError("try " + tried);
    }
  }

  private EventListener listener(Kind kind) {
    return switch (kind) {
      case PLAIN -> this::handle;
      case ASYNC -> (AsyncEventListener) e -> CompletableFuture.runAsync(() -> handle(e));
      case BATCH -> (BatchEventListener) this::handleAll;
      case ASYNC_BATCH ->
          (AsyncBatchEventListener)
              (events, result) -> CompletableFuture.runAsync(() -> handleAll(events, result));
    };
  }

  private void handleAll(List<EventEnvelope> events, outbox.BatchResult result) {
    List<Error> errors = new ArrayList<>();
    for (EventEnvelope event : events) {
      try {
        handle(event);
        result.delivered(event);
      } catch (LinkageError e) {
        errors.add(e);
      }
    }
    if (!errors.isEmpty()) {
      throw errors.get(0);
    }
  }

  private static long throwEveryOtherTime(int tries) {
    if (tries % 2 == 0) {
      throw new AssertionError("policy");
    }
    return 1;
  }

  private OutboxStore failingOneSettlementInTen() {
    AtomicInteger settled = new AtomicInteger();
    return new DelegatingStore(harness.store) {
      @Override
      public int settle(Connection connection, List<Settlement> settlements) {
        if (settled.incrementAndGet() % 10 == 0) {
          throw new OutboxException("deadlock", null);
        }
        return harness.store.settle(connection, settlements);
      }

      @Override
      public List<Fetched> fetch(Connection connection, Fetch fetch) {
        return harness.store.fetch(connection, fetch);
      }
    };
  }

  private MetricsExporter throwingMetrics() {
    return (MetricsExporter)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {MetricsExporter.class},
            (proxy, method, arguments) -> {
              throw new AssertionError(method.getName());
            });
  }
}
