package outbox.ordered;

import outbox.model.EventKey;
import outbox.model.OutboxEvent;
import outbox.spi.OrderedStore;
import outbox.util.Nullable;

/**
 * How the lanes of a node are laid out.
 *
 * @param partitions into how many the relay is divided
 * @param keyed whether events of one aggregate are kept in order
 * @param capacity how many events are in memory at most
 * @param mostBytes how many bytes they have together
 * @param mostKeys for how many aggregates events are read again by their keys; for more of them all
 *     events are read
 */
record LaneSettings(
    int partitions, boolean keyed, OnDead onDead, int capacity, long mostBytes, int mostKeys) {

  /** To look for more keys in each row takes a database longer than to send all of them. */
  static final int MOST_KEYS = 100;

  int bucketsPerPartition() {
    return OrderedStore.BUCKETS / partitions;
  }

  int partitionOf(int bucket) {
    return bucket / bucketsPerPartition();
  }

  /** What the event is kept in order by; null if by nothing. */
  @Nullable
  EventKey keyOf(OutboxEvent event) {
    return keyed ? EventKey.of(event) : null;
  }
}
