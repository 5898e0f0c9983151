package outbox.spi;

import java.util.BitSet;
import java.util.Set;
import outbox.model.EventKey;

/**
 * Which events to read in order: those with numbers above {@code after}, up to {@code upTo}, of
 * these buckets.
 *
 * @param buckets all of them are set where the whole table is read
 * @param only the aggregates that are meant; empty: all, and events without one
 * @param except aggregates that are passed over; a store may pass over fewer
 * @param passed numbers up to here were read before; of events among them that are still open the
 *     page tells, too
 * @param bytes the page ends with the event that brings payloads and headers together to this much,
 *     as if the limit had been reached there
 */
public record OrderedScan(
    long after,
    long upTo,
    int limit,
    BitSet buckets,
    Set<EventKey> only,
    Set<EventKey> except,
    EventFilter filter,
    long passed,
    long bytes) {

  public OrderedScan {
    buckets = (BitSet) buckets.clone();
    only = Set.copyOf(only);
    except = Set.copyOf(except);
  }

  /** Whether every bucket is read. */
  public boolean isWhole() {
    return buckets.cardinality() == OrderedStore.BUCKETS;
  }
}
