package outbox.spi;

import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.model.EventKey;
import outbox.model.EventStatus;
import outbox.util.Nullable;

/**
 * What delivery in order needs of a store: events by their numbers, the leases of partitions, and
 * the aggregates that wait for an operator.
 *
 * <p>Every method works on the caller's connection, in the caller's transaction if there is one.
 */
public interface OrderedStore {

  /** The buckets that rows are divided into by their aggregate; a partition is a range of them. */
  int BUCKETS = 1024;

  /** Fails if the database lacks a table, a column or an index that order needs, and says which. */
  void check(Connection connection);

  LeaseTable leases();

  /**
   * The pending events of a range, in the order of their numbers, due or not, and what may still
   * come into that range because its transaction has not ended. For a connection that is in no
   * transaction.
   */
  OrderedPage read(Connection connection, OrderedScan scan);

  /**
   * Sees to it that transactions which are open now show as such in what is read later. For a
   * connection that is in no transaction.
   */
  default void reveal(Connection connection) {}

  /**
   * A number that no pending event is below, committed or not; 0 is always right. For stores that
   * would pass over all that has ended when they {@link #read} from the beginning. For a connection
   * that is in no transaction.
   */
  default long beginning(Connection connection) {
    return 0;
  }

  /** How the events stand now; those whose rows are gone are missing. */
  List<Head> heads(Connection connection, String relay, Collection<String> eventIds);

  /**
   * The dead event blocks its aggregate in this relay from now on, until {@link #unblock} or an
   * operator; what is left of an earlier death counts no more.
   */
  void block(Connection connection, String relay, EventKey key, String eventId);

  /** The event blocks nothing any more; false if it did not. */
  boolean unblock(Connection connection, String relay, String eventId);

  /** The events that block an aggregate in this relay, as far as they are still dead. */
  List<Block> blocks(Connection connection, String relay);

  /**
   * Deletes what is left of blocks whose events are not dead any more: replayed, discarded or gone.
   * Looks at the first {@code limit} events that ever blocked in this relay, of those with ids
   * behind {@code after}, and returns the last of these ids, or nothing if there are no more. What
   * is left blocks nothing, so that a store need not delete it, and the default doesn't.
   */
  default Optional<String> clearLeftovers(
      Connection connection, String relay, String after, int limit) {
    return Optional.empty();
  }

  /**
   * Aggregates whose first pending event failed or is dead, those that have waited longest first.
   */
  List<BlockedKey> blockedKeys(Connection connection, String relay, int limit);

  /**
   * Does what an operator decided after seeing the event in this status, RETRY or DEAD; false, and
   * nothing is changed, if it isn't so any more. In one transaction.
   *
   * @param reason for {@link KeyAction#DISCARD}
   */
  boolean resolve(
      Connection connection, BlockedKey seen, KeyAction action, @Nullable DiscardReason reason);

  /**
   * Waits until no other transaction has locked the same aggregate, and locks it until this one
   * ends. Transactions that do this before they write an event of the aggregate commit in the order
   * of their events.
   */
  void lockKey(Connection connection, EventKey key);

  /** An event that blocks its aggregate, with its number and its bucket. */
  record Block(EventKey key, String eventId, long seq, int bucket) {}

  /**
   * How an event stands.
   *
   * @param availableAt when it is due, if it is pending
   * @param blocks whether it blocks its aggregate in the relay
   */
  record Head(
      String eventId, EventStatus status, int attempts, Instant availableAt, boolean blocks) {

    public boolean isPending() {
      return status == EventStatus.NEW || status == EventStatus.RETRY;
    }
  }
}
