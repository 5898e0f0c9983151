package outbox.testing;

import java.time.Duration;
import java.util.List;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxWriter;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;

/** One process of an application: it writes, polls with claims, and delivers. */
final class TestNode {

  static final String EVENT_TYPE = "NumberDrawn";

  /** So long that an event which waits for its lock to expire fails the test. */
  static final Duration LOCK_TIMEOUT = Duration.ofMinutes(5);

  private final StubTxContext tx;
  private final OutboxWriter writer;
  private final OutboxPoller poller;
  private final OutboxDispatcher dispatcher;

  private TestNode(
      StubTxContext tx, OutboxWriter writer, OutboxPoller poller, OutboxDispatcher dispatcher) {
    this.tx = tx;
    this.writer = writer;
    this.poller = poller;
    this.dispatcher = dispatcher;
  }

  static TestNode start(
      String name,
      StoreFixture fixture,
      long drainTimeoutMs,
      int maxAttempts,
      EventListener listener) {
    OutboxDispatcher dispatcher =
        OutboxDispatcher.builder()
            .connectionProvider(fixture.connections())
            .outboxStore(fixture.store())
            .listenerRegistry(new DefaultListenerRegistry().register(EVENT_TYPE, listener))
            .retryPolicy(attempts -> 10L * attempts)
            .maxAttempts(maxAttempts)
            .drainTimeoutMs(drainTimeoutMs)
            .build();
    OutboxPoller poller =
        OutboxPoller.builder()
            .connectionProvider(fixture.connections())
            .outboxStore(fixture.store())
            .handler(new DispatcherPollerHandler(dispatcher))
            .claimLocking(name, LOCK_TIMEOUT)
            .intervalMs(200)
            .build();
    StubTxContext tx = new StubTxContext(fixture.connections());
    OutboxWriter writer =
        new OutboxWriter(tx, fixture.store(), new DispatcherWriterHook(dispatcher));
    poller.start();
    return new TestNode(tx, writer, poller, dispatcher);
  }

  void write(List<EventEnvelope> events) {
    tx.inTransaction(() -> writer.writeAll(events));
  }

  void close() {
    poller.close();
    dispatcher.close();
  }
}
