package outbox.jdbc.store;

import java.sql.Connection;
import java.util.List;
import outbox.EventEnvelope;
import outbox.jdbc.internal.Overrides;

/**
 * What a store does in its own way, by methods that it overrides. They are used then, though there
 * are faster ways that would pass them by.
 *
 * @param insertsOne whether an event alone is inserted in its own way, and a batch in ours
 * @param skipsClaimed whether claimed inserts would pass its own by
 * @param skipsAbsent whether {@code insertIfAbsent} would
 */
record OwnWays(
    boolean insertsOne, boolean skipsClaimed, boolean skipsAbsent, boolean search, boolean marks) {

  static OwnWays of(AbstractJdbcOutboxStore store) {
    boolean inserts = isAny(store, "insertNew", "insertBatch");
    return new OwnWays(
        isAny(store, "insertNew") && !isAny(store, "insertBatch"),
        inserts && !isAny(store, "insertClaimed"),
        inserts && !isAny(store, "insertIfAbsent"),
        isAny(store, "pollPending", "claimPending"),
        isAny(store, "markDone", "markRetry", "markDead"));
  }

  private static boolean isAny(AbstractJdbcOutboxStore store, String... methods) {
    return Overrides.any(store, AbstractJdbcOutboxStore.class, methods);
  }

  /** False if a batch is to be inserted in our way. */
  boolean insertOneByOne(
      AbstractJdbcOutboxStore store, Connection connection, List<EventEnvelope> events) {
    if (insertsOne) {
      events.forEach(event -> store.insertNew(connection, event));
    }
    return insertsOne;
  }

  void requireAbsentIsOurs(AbstractJdbcOutboxStore store) {
    if (skipsAbsent) {
      throw new UnsupportedOperationException(
          store.getClass().getName()
              + " inserts in its own way; override insertIfAbsent in it, too");
    }
  }
}
