package outbox.ordered;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import outbox.spi.OrderedStore;
import outbox.util.Nullable;

/**
 * The partitions that this node delivers, and how many events of each partition, its own or not any
 * more, are under way. Guarded by the lock of {@link Lanes}.
 */
final class Holdings {

  /** How many events of a partition count their try at its start after its last owner died. */
  private static final int SUSPECTS = 20;

  private final LaneSettings settings;
  private final Map<Integer, Partition> partitions = new HashMap<>();
  private final Map<Integer, Integer> underWay = new HashMap<>();
  private long gains;

  /** A partition that this node delivers. */
  static final class Partition {
    private final Session session;
    private final long epoch;
    private final long gain;
    private int suspects;

    private Partition(Session session, long epoch, long gain, int suspects) {
      this.session = session;
      this.epoch = epoch;
      this.gain = gain;
      this.suspects = suspects;
    }

    Session session() {
      return session;
    }

    long epoch() {
      return epoch;
    }

    /** Whether the next aggregate's first event may be what the last owner died of. */
    boolean takeSuspect() {
      return suspects > 0 && suspects-- > 0;
    }
  }

  /** The buckets to read, after so many partitions were gained. */
  record Share(BitSet buckets, long gains) {}

  Holdings(LaneSettings settings) {
    this.settings = settings;
  }

  void add(Session session, int partition, long epoch, boolean takenOver) {
    partitions.put(partition, new Partition(session, epoch, ++gains, takenOver ? SUSPECTS : 0));
  }

  void remove(int partition) {
    partitions.remove(partition);
  }

  Set<Integer> all() {
    return Set.copyOf(partitions.keySet());
  }

  @Nullable
  Partition get(int partition) {
    return partitions.get(partition);
  }

  /** Null if the bucket is others', or has been gained since it was shared out. */
  @Nullable
  Partition of(int bucket, Share share) {
    Partition partition = partitions.get(settings.partitionOf(bucket));
    return partition == null || partition.gain > share.gains() ? null : partition;
  }

  Share share() {
    BitSet buckets = new BitSet(OrderedStore.BUCKETS);
    int width = settings.bucketsPerPartition();
    partitions.keySet().forEach(p -> buckets.set(p * width, (p + 1) * width));
    return new Share(buckets, gains);
  }

  void started(int partition) {
    underWay.merge(partition, 1, Integer::sum);
  }

  void ended(int partition) {
    underWay.computeIfPresent(partition, (p, count) -> count == 1 ? null : count - 1);
  }

  boolean isDrained(int partition) {
    return !underWay.containsKey(partition);
  }

  boolean isDrained() {
    return underWay.isEmpty();
  }
}
