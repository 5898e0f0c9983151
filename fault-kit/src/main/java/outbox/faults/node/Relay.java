package outbox.faults.node;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
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
            .withClock(new DatabaseClock(wallClock(switches)));
  }

  Outbox outbox(EventListener listener) {
    return switch (settings.mode()) {
      case WRITER -> Outbox.writerOnly().database(database).store(store).build();
      case SINGLE ->
          relay(Outbox.singleNode(), listener)
              .poller(poller -> poller.intervalMs(INTERVAL.toMillis()))
              .build();
      case MULTI ->
          relay(Outbox.multiNode(), listener)
              .nodeId(settings.nodeId())
              .lease(settings.lease())
              .poller(poller -> poller.intervalMs(INTERVAL.toMillis()))
              .build();
      case ORDERED ->
          relay(Outbox.ordered(), listener)
              .nodeId(settings.nodeId())
              .lease(settings.lease())
              .partitions(settings.partitions())
              .interval(INTERVAL)
              .build();
    };
  }

  private <B extends RelayBuilder<B>> B relay(B builder, EventListener listener) {
    B relay =
        builder
            .database(database)
            .store(store)
            .dispatcher(this::dispatcher)
            .listener(Accounts.EVENT_TYPE, listener);
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

  /** This machine's, as far off as the switch says. */
  private static Clock wallClock(Switches switches) {
    InstantSource clock =
        () ->
            Instant.now()
                .plus(Duration.parse(switches.value(Switches.CLOCK, Duration.ZERO.toString())));
    return clock.withZone(ZoneOffset.UTC);
  }
}
