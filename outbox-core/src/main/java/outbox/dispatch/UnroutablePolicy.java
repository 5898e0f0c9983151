package outbox.dispatch;

/**
 * What becomes of an event that no listener is registered for on this node.
 *
 * <p>During a rolling deployment an old node meets event types that only new nodes know. With
 * {@link #RETRY} or {@link #LEAVE} it can't bury them, however often it meets them: neither counts
 * an attempt, and both keep the event from this node and all others for ten seconds.
 */
public enum UnroutablePolicy {
  /** It is DEAD at once. */
  DEAD,
  /**
   * It is RETRY, and {@code last_error} names what is missing. It waits for ten seconds, or for as
   * long as the retry policy says if that is longer.
   */
  RETRY,
  /** It is given back as it was, and waits for ten seconds. */
  LEAVE
}
