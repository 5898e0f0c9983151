package outbox.jdbc.store;

import outbox.jdbc.internal.Overrides;

/**
 * What a store does in its own way, by methods that it overrides. They are used then, though there
 * are faster ways that would pass them by.
 */
record OwnWays(String store, boolean inserts, boolean search, boolean marks) {

  static OwnWays of(AbstractJdbcOutboxStore store) {
    return new OwnWays(
        store.getClass().getName(),
        isAny(store, "insertNew", "insertBatch"),
        isAny(store, "pollPending", "claimPending"),
        isAny(store, "markDone", "markRetry", "markDead"));
  }

  private static boolean isAny(AbstractJdbcOutboxStore store, String... methods) {
    return Overrides.any(store, AbstractJdbcOutboxStore.class, methods);
  }

  /** For a method that would insert otherwise than the store does. */
  void requireOurInserts(String method) {
    if (inserts) {
      throw new UnsupportedOperationException(
          "%s inserts in its own way; override %s in it, too".formatted(store, method));
    }
  }
}
