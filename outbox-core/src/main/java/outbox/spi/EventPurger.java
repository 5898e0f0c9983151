package outbox.spi;

import java.sql.Connection;
import java.time.Instant;

/** Deletes events in a final state that ended before a moment, at most {@code limit} of them. */
@FunctionalInterface
public interface EventPurger {

  /** Returns how many were deleted. The caller owns the connection and its transaction. */
  int purge(Connection connection, Instant before, int limit);
}
