package outbox.dead;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import outbox.internal.Require;
import outbox.internal.SafeLogger;
import outbox.internal.Transactions;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Shows dead events, replays them and discards them. A replayed event is new again: no attempts,
 * available now. A discarded one is DONE without having been delivered, and its last error has the
 * reason.
 *
 * <p>Meant for consoles and scripts: a failing database is logged and answered with nothing. What
 * goes beyond the specification needs a store that supports it. Safe for all threads.
 */
public final class DeadEventManager {

  private static final Logger LOG = SafeLogger.of(DeadEventManager.class);

  private static final int FAILED = -1;

  private final OutboxStore outboxStore;
  private final LoggedAnswers database;

  public DeadEventManager(ConnectionProvider connectionProvider, OutboxStore outboxStore) {
    database =
        new LoggedAnswers(
            Objects.requireNonNull(connectionProvider, "connectionProvider must not be null"));
    this.outboxStore = Objects.requireNonNull(outboxStore, "outboxStore must not be null");
  }

  /** The oldest dead events; a null filter matches everything. */
  public List<OutboxEvent> query(
      @Nullable String eventType, @Nullable String aggregateType, int limit) {
    return database.answer(
        "query dead events",
        List.of(),
        connection -> outboxStore.queryDead(connection, eventType, aggregateType, limit));
  }

  /** A page of dead events, each with status, attempts, last error, times and locks. */
  public DeadPage page(DeadQuery query) {
    return DeadPage.of(
        query,
        database.answer(
            "query dead events",
            List.of(),
            connection -> outboxStore.queryDead(connection, query)));
  }

  /** Everything about one event, dead or not: status, attempts, last error, times, locks. */
  public Optional<EventDetails> find(String eventId) {
    return database.answer(
        "find event " + eventId,
        Optional.empty(),
        connection -> outboxStore.find(connection, eventId));
  }

  public int count(@Nullable String eventType) {
    return database.answer(
        "count dead events", 0, connection -> outboxStore.countDead(connection, eventType));
  }

  /** How many match, as far as {@code atMost}: beyond it the answer is just that. */
  public int count(DeadFilter filter, int atMost) {
    return database.answer(
        "count dead events", 0, connection -> outboxStore.countDead(connection, filter, atMost));
  }

  /** False if the event isn't dead. */
  public boolean replay(String eventId) {
    return database.answer(
        "replay event " + eventId,
        false,
        connection -> outboxStore.replayDead(connection, eventId) > 0);
  }

  /**
   * Replays, oldest first, the events that match and are dead when this is called. One that dies
   * again meanwhile is not replayed twice. Returns when it has ended.
   */
  public BatchProgress replay(DeadFilter filter, BatchOptions options) {
    return run("replay", filter, options, outboxStore::replayDead);
  }

  /**
   * Replays the events that match, oldest first and those that are dead when this is called, and
   * returns how many. One that dies again meanwhile is not replayed twice.
   */
  public int replayAll(@Nullable String eventType, @Nullable String aggregateType, int batchSize) {
    Require.atLeast(1, "batchSize", batchSize);
    DeadFilter filter =
        DeadFilter.all().withEventType(eventType).withAggregate(aggregateType, null);
    try {
      int limit = Math.min(batchSize, DeadQuery.MAX_LIMIT);
      return replay(filter, BatchOptions.defaults().withBatchSize(limit)).changed();
    } catch (UnsupportedOperationException e) {
      return replayAll(new DeadReplay(outboxStore, eventType, aggregateType, batchSize));
    }
  }

  /** Gives up a dead event; false if it isn't dead. */
  public boolean discard(String eventId, String reason) {
    DeadFilter filter = DeadFilter.all().withIds(List.of(eventId));
    return discard(filter, reason, BatchOptions.defaults()).changed() > 0;
  }

  /** Gives up the events that match and are dead when this is called, as a replay replays them. */
  public BatchProgress discard(DeadFilter filter, String reason, BatchOptions options) {
    DiscardReason because = new DiscardReason(reason);
    return run(
        "discard",
        filter,
        options,
        (connection, page) -> outboxStore.discardDead(connection, page, because));
  }

  private BatchProgress run(
      String operation, DeadFilter filter, BatchOptions options, DeadRun.Change change) {
    BatchProgress end = new DeadRun(database, outboxStore, operation, options, change).over(filter);
    LOG.log(Level.INFO, "{0} of dead events has ended: {1}", operation, end);
    return end;
  }

  /** For a store that knows nothing but what the specification asks for. */
  private int replayAll(DeadReplay replay) {
    int total = 0;
    while (replay.hasMore()) {
      int replayed =
          database.answer(
              "replay more dead events than " + total,
              FAILED,
              connection -> Transactions.inTransaction(connection, replay::nextBatch));
      if (replayed == FAILED) {
        break;
      }
      total += replayed;
    }
    return total;
  }
}
