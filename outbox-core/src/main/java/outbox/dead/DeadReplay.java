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
 * are looked past. As many are replayed as were dead at the start, so that it ends even where
 * events keep dying.
 */
final class DeadReplay {

  private static final int UNKNOWN = -1;

  private final OutboxStore store;
  private final @Nullable String eventType;
  private final @Nullable String aggregateType;
  private final int batchSize;
  private final Set<String> replayed = new HashSet<>();
  private int left = UNKNOWN;
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
    left = left == UNKNOWN ? deadAtTheStart(connection) : left;
    int limit = batchSize + diedAgain;
    List<OutboxEvent> dead = store.queryDead(connection, eventType, aggregateType, limit);
    List<String> unseen =
        dead.stream().map(OutboxEvent::eventId).filter(id -> !replayed.contains(id)).toList();
    List<String> fresh = unseen.subList(0, Math.min(left, unseen.size()));
    left -= fresh.size();
    diedAgain = dead.size() - unseen.size();
    hasMore = dead.size() >= limit && left > 0;
    replayed.addAll(fresh);
    return fresh.stream().mapToInt(id -> store.replayDead(connection, id)).sum();
  }

  /** An upper limit, since counts know nothing of aggregate types, and some stores of no counts. */
  private int deadAtTheStart(Connection connection) {
    try {
      int count = store.countDead(connection, eventType);
      return count > 0 ? count : Integer.MAX_VALUE;
    } catch (UnsupportedOperationException e) {
      return Integer.MAX_VALUE;
    }
  }
}
