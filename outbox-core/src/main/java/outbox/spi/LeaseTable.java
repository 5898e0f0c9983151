package outbox.spi;

import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import outbox.util.Nullable;

/**
 * Where the nodes of a relay share its partitions: a living session per node, and an owner with an
 * epoch per partition. Every time in it is the database's, so that no node's clock matters.
 *
 * <p>A partition changes hands in two ways. Its owner releases it, after the last of its events has
 * ended. Or the owner's session has expired, and then it is ended by the next who looks, but not
 * while the owner is writing under {@link #holds}: from then on that node can write nothing.
 *
 * <p>Every method works on the caller's connection, in the caller's transaction if there is one.
 */
public interface LeaseTable {

  /**
   * Begins a session; it lives for its lease from now on.
   *
   * @throws IllegalStateException if living nodes divide the relay into another number of
   *     partitions; names both numbers
   */
  void join(Connection connection, NodeSession session);

  /** Lives for another lease from now on; false if the session has ended and can do nothing. */
  boolean renew(Connection connection, NodeSession session);

  /**
   * The relay as it is now: expired sessions are ended first, and what they owned is free. Waits
   * for nobody: a session that is just writing is ended by a later call. Sessions come in the order
   * of their ids, partitions in that of their numbers.
   */
  RelayView view(Connection connection, String relay);

  /**
   * Makes the session the owner of a free partition, with the next epoch; null if somebody else was
   * faster.
   */
  @Nullable
  PartitionLease acquire(Connection connection, NodeSession session, int partition);

  /** Likewise for those of several partitions that are free; the default takes one by one. */
  default List<PartitionLease> acquireAll(
      Connection connection, NodeSession session, List<Integer> partitions) {
    return partitions.stream()
        .map(partition -> acquire(connection, session, partition))
        .filter(Objects::nonNull)
        .toList();
  }

  /** The partition is anybody's; false if it was not this session's any more. */
  boolean release(Connection connection, NodeSession session, int partition);

  /** Ends the session and frees what it owned, as if all had been released. */
  void leave(Connection connection, NodeSession session);

  /**
   * Whether the session lives, however late it is: if it does, it can't be ended before the
   * transaction of this connection has, and so what that writes is written by an owner.
   */
  boolean holds(Connection connection, NodeSession session);

  /**
   * Who takes part in the relay, for people: the living and those that have expired and were not
   * ended yet. Changes nothing.
   */
  default List<RelayNode> nodes(Connection connection, String relay) {
    throw new UnsupportedOperationException(
        getClass().getName() + " does not implement nodes; override it to see them");
  }

  /**
   * A node of a relay.
   *
   * @param partitions how many it owns
   * @param isExpired whether it has not renewed its session in time; others may end it
   */
  record RelayNode(String nodeId, int partitions, boolean isExpired) {}

  /** The sessions and partitions of a relay. */
  record RelayView(List<String> sessionIds, List<PartitionLease> partitions) {

    public RelayView {
      sessionIds = List.copyOf(sessionIds);
      partitions = List.copyOf(partitions);
    }
  }
}
