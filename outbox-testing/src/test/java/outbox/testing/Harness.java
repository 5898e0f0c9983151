package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxWriter;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.QueuedEvent;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.Claim;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.spi.Settlement;

/** An in-memory outbox to build dispatchers and pollers on. */
public final class Harness {

  public static final String TYPE = "OrderPlaced";
  public static final Duration LONG = Duration.ofHours(1);

  public final InMemoryOutboxStore store = new InMemoryOutboxStore();
  public final RecordingMetrics metrics = new RecordingMetrics();
  public final StubTxContext tx = new StubTxContext(store.connections());
  public final RecordingListener listener = new RecordingListener(event -> then().onEvent(event));

  private final Deque<Runnable> open = new ArrayDeque<>();
  private volatile EventListener then = event -> {};

  /** What the listener does with each event. */
  public void onEvent(EventListener then) {
    this.then = then;
  }

  /** Has the first tries fail. */
  public void failFirst(int tries) {
    AtomicInteger failed = new AtomicInteger();
    onEvent(
        event -> {
          if (failed.getAndIncrement() < tries) {
            throw new IllegalStateException("refused");
          }
        });
  }

  /** With one worker, on this store. */
  public OutboxDispatcher.Builder dispatcher() {
    return dispatcher(store);
  }

  public OutboxDispatcher.Builder dispatcher(OutboxStore on) {
    return OutboxDispatcher.builder()
        .connectionProvider(store.connections())
        .outboxStore(on)
        .listenerRegistry(new DefaultListenerRegistry().register(TYPE, listener))
        .metrics(metrics)
        .workerCount(1);
  }

  /** With an interval so long that only what wakes it makes it poll. */
  public OutboxPoller.Builder poller(OutboxDispatcher dispatcher) {
    return poller(dispatcher, store);
  }

  public OutboxPoller.Builder poller(OutboxDispatcher dispatcher, OutboxStore on) {
    return OutboxPoller.builder()
        .connectionProvider(store.connections())
        .outboxStore(on)
        .handler(new DispatcherPollerHandler(dispatcher))
        .metrics(metrics)
        .intervalMs(LONG.toMillis());
  }

  public OutboxDispatcher build(OutboxDispatcher.Builder builder) {
    OutboxDispatcher dispatcher = builder.build();
    open.push(dispatcher::close);
    return dispatcher;
  }

  public OutboxPoller build(OutboxPoller.Builder builder) {
    OutboxPoller poller = builder.build();
    open.push(poller::close);
    return poller;
  }

  public OutboxWriter writer(OutboxDispatcher dispatcher) {
    return new OutboxWriter(tx, store, new DispatcherWriterHook(dispatcher));
  }

  /** Writes in a transaction of its own. */
  public void write(OutboxWriter writer, EventEnvelope... events) {
    tx.inTransaction(() -> writer.writeAll(List.of(events)));
  }

  /** An event that stands in the store and nowhere else. */
  public EventEnvelope stored() {
    EventEnvelope event = event();
    store.insertNew(null, event);
    return event;
  }

  public List<EventEnvelope> stored(int count) {
    return IntStream.range(0, count).mapToObj(i -> stored()).toList();
  }

  public EventDetails row(EventEnvelope event) {
    return store.find(event.eventId()).orElseThrow();
  }

  public EventStatus status(EventEnvelope event) {
    return row(event).status();
  }

  public void awaitStatus(EventStatus status, EventEnvelope... events) {
    for (EventEnvelope event : events) {
      eventually(() -> status(event) == status);
    }
  }

  public void awaitDone(EventEnvelope... events) {
    awaitStatus(EventStatus.DONE, events);
  }

  public static EventEnvelope event() {
    return EventEnvelope.ofJson(TYPE, "{}");
  }

  public static QueuedEvent hot(EventEnvelope event) {
    return new QueuedEvent(event, QueuedEvent.Source.HOT, 0);
  }

  public static QueuedEvent cold(EventEnvelope event, int attempts) {
    return new QueuedEvent(event, QueuedEvent.Source.COLD, attempts);
  }

  /** Waits without losing time. */
  public static void eventually(Callable<Boolean> condition) {
    if (!isSo(condition)) {
      await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(1)).until(condition);
    }
  }

  private static boolean isSo(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Events whose holder died more than an hour ago, after this many tries. */
  public List<EventEnvelope> leftBehind(int count, int attempts) {
    List<EventEnvelope> events = stored(count);
    Instant longAgo = row(events.get(count - 1)).event().createdAt();
    Claim claim = new Claim("dead-node", longAgo, LONG, System.nanoTime());
    List<OutboxEvent> claimed =
        store.claimPending(null, "dead-node", longAgo, longAgo, Duration.ZERO, count);
    assertThat(claimed).hasSize(count);
    Instant earlier = longAgo.minus(LONG).minusSeconds(60).truncatedTo(ChronoUnit.MICROS);
    Claim dead = new Claim("dead-node", earlier, LONG, System.nanoTime());
    for (EventEnvelope event : events) {
      if (attempts > 0) {
        settle(event, claim, new Outcome.Started(attempts));
      }
      settle(event, claim, new Outcome.Kept(dead));
    }
    return events;
  }

  /** Writes what became of an event that is held under this claim. */
  public void settle(EventEnvelope event, Claim claim, Outcome outcome) {
    assertThat(store.settle(null, List.of(new Settlement(event.eventId(), claim, outcome))))
        .isEqualTo(1);
  }

  /** Closes what was built, newest first. */
  public void close() {
    while (!open.isEmpty()) {
      open.pop().run();
    }
  }

  private EventListener then() {
    return then;
  }
}
