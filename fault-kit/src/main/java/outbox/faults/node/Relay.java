package outbox.faults.node;

import java.time.Duration;
import outbox.EventListener;
import outbox.Outbox;
import outbox.RelayBuilder;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.DatabaseClock;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.store.AbstractJdbcOutboxStore;

/** The outbox of a node. */
final class Relay {

  private static final Duration INTERVAL = Duration.ofMillis(50);

  private final NodeSettings settings;
  private final JdbcDatabase database;
  private final AbstractJdbcOutboxStore store;

  Relay(NodeSettings settings, JdbcDatabase database, Switches switches) {
    this.settings = settings;
    this.database = database;
    store =
        ((AbstractJdbcOutboxStore) database.store())
            .withClock(new DatabaseClock(new WallClock(settings, switches)));
  }

  /** Events of the other destination's aggregate type go there. */
  Outbox outbox(EventListener listener, EventListener other) {
    return switch (settings.mode()) {
      case WRITER -> Outbox.writerOnly().database(database).store(store).build();
      case SINGLE ->
          relay(Outbox.singleNode(), listener, other)
              .poller(poller -> poller.intervalMs(INTERVAL.toMillis()))
              .build();
      case MULTI ->
          relay(Outbox.multiNode(), listener, other)
              .nodeId(settings.nodeId())
              .lease(settings.lease())
              .poller(poller -> poller.intervalMs(INTERVAL.toMillis()))
              .build();
      case ORDERED ->
          relay(Outbox.ordered(), listener, other)
              .nodeId(settings.nodeId())
              .lease(settings.lease())
              .partitions(settings.partitions())
              .interval(INTERVAL)
              .build();
    };
  }

  private <B extends RelayBuilder<B>> B relay(
      B builder, EventListener listener, EventListener other) {
    B relay =
        builder
            .database(database)
            .store(store)
            .dispatcher(this::dispatcher)
            .listener(Accounts.EVENT_TYPE, listener)
            .listener(Accounts.type(settings.apart().prefix()), Accounts.EVENT_TYPE, other);
    return settings.purgeAfter().isZero()
        ? relay.keepEnded()
        : relay.purge(purge -> purge.retention(settings.purgeAfter()).intervalSeconds(1));
  }

  private OutboxDispatcher.Builder dispatcher(OutboxDispatcher.Builder dispatcher) {
    dispatcher
        .workerCount(settings.workers())
        .maxAttempts(settings.attempts())
        .drainTimeoutMs(settings.drain().toMillis())
        .retryPolicy(attempts -> 20);
    if (settings.queueBytes() > 0) {
      dispatcher.queueBytes(settings.queueBytes());
    }
    return settings.dispatchTimeout().isZero()
        ? dispatcher
        : dispatcher.dispatchTimeout(settings.dispatchTimeout());
  }
}
