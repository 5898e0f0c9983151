package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.AsyncBatchEventListener;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxException;
import outbox.OutboxWriter;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.EventInterceptor;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;

/**
 * Whatever throws, and however often: every event ends as it should, after the right tries. On any
 * store, of which one write of what became of events in ten fails.
 */
@Timeout(120)
public abstract class EverythingBreaksContract {

  private static final String TYPE = "OrderPlaced";
  private static final int EVENTS = 300;
  private static final int MOST_TRIES = 3;
  private static final int ONE_SETTLEMENT_FAILS_IN = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** So long that an event which waits for its lock to expire fails the test. */
  private static final Duration LOCK_TIMEOUT = Duration.ofHours(1);

  private final Map<String, AtomicInteger> tries = new ConcurrentHashMap<>();
  private final AtomicInteger settlements = new AtomicInteger();

  @SuppressWarnings("NullAway.Init")
  private StoreFixture fixture;

  @SuppressWarnings("NullAway.Init")
  private StoreSession session;

  /** The store; asked for once per test. */
  protected abstract StoreFixture fixture();

  @BeforeEach
  void emptyTheTable() throws Exception {
    fixture = fixture();
    fixture.cleanup().run();
    session = new StoreSession(fixture);
  }

  @Test
  void everyEventOfAListenerEndsAsItShould() {
    assertThatEveryEventEnds(this::handle);
  }

  @Test
  void everyEventOfAnAsynchronousListenerEndsAsItShould() {
    AsyncEventListener listener = event -> CompletableFuture.runAsync(() -> handle(event));
    assertThatEveryEventEnds(listener);
  }

  @Test
  void everyEventOfABatchListenerEndsAsItShould() {
    BatchEventListener listener = this::handleAll;
    assertThatEveryEventEnds(listener);
  }

  @Test
  void everyEventOfAnAsynchronousBatchListenerEndsAsItShould() {
    AsyncBatchEventListener listener =
        (events, result) -> CompletableFuture.runAsync(() -> handleAll(events, result));
    assertThatEveryEventEnds(listener);
  }

  private void assertThatEveryEventEnds(EventListener listener) {
    OutboxStore store = failingOneSettlementInTen();
    List<EventEnvelope> events =
        IntStream.range(0, EVENTS).mapToObj(i -> event(i % (MOST_TRIES + 1))).toList();
    try (OutboxDispatcher dispatcher = dispatcher(store, listener);
        OutboxPoller poller = poller(store, dispatcher)) {
      poller.start();
      StubTxContext tx = new StubTxContext(fixture.connections());
      OutboxWriter writer = new OutboxWriter(tx, store, new DispatcherWriterHook(dispatcher));

      events.forEach(event -> tx.inTransaction(() -> writer.write(event)));

      assertThat(events).allSatisfy(this::assertEnded);
    }
    assertThat(settlements).hasValueGreaterThanOrEqualTo(ONE_SETTLEMENT_FAILS_IN);
  }

  private OutboxDispatcher dispatcher(OutboxStore store, EventListener listener) {
    return OutboxDispatcher.builder()
        .connectionProvider(fixture.connections())
        .outboxStore(store)
        .listenerRegistry(new DefaultListenerRegistry().register(TYPE, listener))
        .metrics(throwingMetrics())
        .retryPolicy(EverythingBreaksContract::throwEveryOtherTime)
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
        .hotQueueCapacity(50)
        .build();
  }

  private OutboxPoller poller(OutboxStore store, OutboxDispatcher dispatcher) {
    return OutboxPoller.builder()
        .connectionProvider(fixture.connections())
        .outboxStore(store)
        .handler(new DispatcherPollerHandler(dispatcher))
        .metrics(throwingMetrics())
        .claimLocking("node-1", LOCK_TIMEOUT)
        .intervalMs(10)
        .build();
  }

  private void assertEnded(EventEnvelope event) {
    int failures = failuresOf(event);
    boolean dies = failures >= MOST_TRIES;
    EventDetails row = awaitStatus(dies ? EventStatus.DEAD : EventStatus.DONE, event);
    assertThat(row.event().attempts()).as(row.toString()).isEqualTo(failures);
    assertThat(tries.get(event.eventId()))
        .as(row.toString())
        .hasValue(dies ? MOST_TRIES : failures + 1);
  }

  private EventDetails awaitStatus(EventStatus status, EventEnvelope event) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> session.row(event), row -> row.status() == status);
  }

  private static EventEnvelope event(int failures) {
    return EventEnvelope.ofJson(TYPE, Integer.toString(failures));
  }

  private static int failuresOf(EventEnvelope event) {
    return Integer.parseInt(String.valueOf(event.payloadJson()));
  }

  /** Fails as often as the event says. */
  private void handle(EventEnvelope event) {
    int tried = tries.computeIfAbsent(event.eventId(), id -> new AtomicInteger()).incrementAndGet();
    if (tried <= failuresOf(event)) {
      throw new LinkageError("try " + tried);
    }
  }

  private void handleAll(List<EventEnvelope> events, BatchResult result) {
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
    OutboxStore store = fixture.store();
    return proxy(
        OutboxStore.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("settle")
              && settlements.incrementAndGet() % ONE_SETTLEMENT_FAILS_IN == 0) {
            throw new OutboxException("deadlock", null);
          }
          try {
            return method.invoke(store, arguments);
          } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
          }
        });
  }

  private static MetricsExporter throwingMetrics() {
    return proxy(
        MetricsExporter.class,
        (proxy, method, arguments) -> {
          throw new AssertionError(method.getName());
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            EverythingBreaksContract.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
