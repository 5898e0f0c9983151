package outbox.spi;

import java.sql.Connection;
import java.time.Instant;

/** Deletes events in a final state that ended before a moment, at most {@code limit} of them. */
@FunctionalInterface
public interface EventPurger {

  /**
   * Deletes DONE and DEAD events alike. Returns how many were deleted. The caller owns the
   * connection and its transaction.
   */
  int purge(Connection connection, Instant before, int limit);

  /**
   * Deletes what is asked for and nothing else, after the archiver has it, in one transaction: the
   * caller's if there is one. Several purgers at once pass over each other's events, so that none
   * is archived twice. Returns how many were deleted.
   *
   * @throws UnsupportedOperationException if this purger isn't {@linkplain #isSelective selective}
   */
  default int purge(Connection connection, PurgeRequest request) {
    throw new UnsupportedOperationException(
        getClass().getName()
            + " deletes DONE and DEAD events alike and archives none; implement"
            + " purge(Connection, PurgeRequest) and isSelective in it");
  }

  /** Whether {@link #purge(Connection, PurgeRequest)} is implemented. */
  default boolean isSelective() {
    return false;
  }
}
