package outbox.dead;

import java.sql.Connection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import outbox.model.OutboxEvent;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Walks through the dead events batch by batch, each once: those that die again show up again and
 * are looked past.
 */
final class DeadReplay {

  private final OutboxStore store;
  private final @Nullable String eventType;
  private final @Nullable String aggregateType;
  private final int batchSize;
  private final Set<String> replayed = new HashSet<>();
  private int diedAgain;
  private boolean hasMore = true;

  DeadReplay(
      OutboxStore store,
      @Nullable String eventType,
      @Nullable String aggregateType,
      int batchSize) {
    this.store = store;
    this.eventType = eventType;
    this.aggregateType = aggregateType;
    this.batchSize = batchSize;
  }

  boolean hasMore() {
    return hasMore;
  }

  /** Returns how many events became new again. */
  int nextBatch(Connection connection) {
    int limit = batchSize + diedAgain;
    List<OutboxEvent> dead = store.queryDead(connection, eventType, aggregateType, limit);
    List<String> fresh =
        dead.stream().map(OutboxEvent::eventId).filter(id -> !replayed.contains(id)).toList();
    diedAgain = dead.size() - fresh.size();
    hasMore = dead.size() >= limit;
    replayed.addAll(fresh);
    return fresh.stream().mapToInt(id -> store.replayDead(connection, id)).sum();
  }
}
