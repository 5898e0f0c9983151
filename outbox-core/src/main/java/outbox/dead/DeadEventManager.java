package outbox.dead;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import outbox.internal.Require;
import outbox.internal.SqlErrors;
import outbox.internal.Transactions;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Shows dead events and replays them. A replayed event is new again: no attempts, available now.
 *
 * <p>Meant for consoles and scripts: a failing database is logged and answered with nothing. Safe
 * for all threads.
 */
public final class DeadEventManager {

  private static final Logger LOG = System.getLogger(DeadEventManager.class.getName());

  private static final int FAILED = -1;

  private final ConnectionProvider connectionProvider;
  private final OutboxStore outboxStore;

  public DeadEventManager(ConnectionProvider connectionProvider, OutboxStore outboxStore) {
    this.connectionProvider =
        Objects.requireNonNull(connectionProvider, "connectionProvider must not be null");
    this.outboxStore = Objects.requireNonNull(outboxStore, "outboxStore must not be null");
  }

  /** The oldest dead events; a null filter matches everything. */
  public List<OutboxEvent> query(
      @Nullable String eventType, @Nullable String aggregateType, int limit) {
    return answer(
        "query dead events",
        List.of(),
        connection -> outboxStore.queryDead(connection, eventType, aggregateType, limit));
  }

  /** Everything about one event, dead or not: status, attempts, last error, times, locks. */
  public Optional<EventDetails> find(String eventId) {
    return answer(
        "find event " + eventId,
        Optional.empty(),
        connection -> outboxStore.find(connection, eventId));
  }

  /** False if the event isn't dead. */
  public boolean replay(String eventId) {
    return answer(
        "replay event " + eventId,
        false,
        connection -> outboxStore.replayDead(connection, eventId) > 0);
  }

  /**
   * Replays the events that match, oldest first and as many as are dead when this is called, and
   * returns how many. One that dies again meanwhile is not replayed twice.
   */
  public int replayAll(@Nullable String eventType, @Nullable String aggregateType, int batchSize) {
    Require.atLeast(1, "batchSize", batchSize);
    DeadReplay replay = new DeadReplay(outboxStore, eventType, aggregateType, batchSize);
    int total = 0;
    while (replay.hasMore()) {
      int replayed =
          answer(
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

  public int count(@Nullable String eventType) {
    return answer(
        "count dead events", 0, connection -> outboxStore.countDead(connection, eventType));
  }

  private <T> T answer(String operation, T otherwise, Transactions.Work<T> work) {
    try {
      return Transactions.onConnection(connectionProvider, work);
    } catch (SQLException | RuntimeException e) {
      if (e instanceof RuntimeException failure && !SqlErrors.isSqlFailure(failure)) {
        throw failure;
      }
      LOG.log(Level.ERROR, () -> "could not " + operation + "; nothing was changed by it", e);
      return otherwise;
    }
  }
}
