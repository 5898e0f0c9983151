package outbox.faults.node;

/** Where a process ends, as if killed. */
public enum KillPoint {
  NOWHERE,
  /** Events are claimed, none of this call's is delivered. */
  CLAIMED,
  /** The listener has delivered, nobody knows. */
  DELIVERED,
  /** The database has changed a group of statuses, and is still to commit that. */
  COMPLETING,
  /** The application's transaction is committed, and nothing after it has happened. */
  COMMITTED
}
