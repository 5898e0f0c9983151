package outbox;

/**
 * Takes a {@link BatchEventListener}'s word on single events of its batch. Safe for all threads; of
 * several reports on one event the last counts, and none counts after the batch has ended.
 */
public interface BatchResult {

  /** Counts even if the listener fails afterwards. */
  void delivered(EventEnvelope event);

  /** The failure is treated as if the listener had thrown it for this event alone. */
  void failed(EventEnvelope event, Throwable failure);
}
