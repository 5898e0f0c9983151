package outbox.spi;

import outbox.util.Nullable;

/**
 * Who delivers a partition.
 *
 * @param sessionId the owner; null if there is none, or if its session has ended
 * @param epoch grows whenever the partition gets an owner, so that a consumer can tell an old one
 * @param takenOver whether the owner before this one, or the last if there is none, did not give it
 *     up: it died or stood still, perhaps because of an event of this partition
 */
public record PartitionLease(
    int partition, @Nullable String sessionId, long epoch, boolean takenOver) {

  public boolean isFree() {
    return sessionId == null;
  }
}
