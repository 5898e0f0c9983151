package outbox.ordered;

/** What becomes of an aggregate's later events when one of them is dead. */
public enum OnDead {
  /** They wait until an operator has decided about the dead one; see {@link BlockedKeys}. */
  BLOCK_KEY,
  /** They go on; the dead one stays behind. */
  SKIP
}
