package outbox;

import java.util.List;
import outbox.spi.Claim;
import outbox.util.Nullable;

/**
 * Sees each batch of events on its way into the outbox: before the insert, after it, and when the
 * transaction has ended.
 *
 * <p>Only {@link #beforeWrite} can stop a write, by throwing or by returning nothing to insert.
 * Whatever the others throw is logged and goes no further: the business transaction never fails
 * because of them.
 */
public interface WriterHook {

  /** Does nothing; a writer with it registers no transaction callback at all. */
  WriterHook NOOP = new WriterHook() {};

  /** Returns the events to insert instead; null or an empty list suppresses the write. */
  default @Nullable List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
    return events;
  }

  default void afterWrite(List<EventEnvelope> events) {}

  default void afterCommit(List<EventEnvelope> events) {}

  /**
   * The claim under which this many events are inserted, so that no other node takes them before
   * this hook's owner has delivered them; null leaves them to whoever polls first.
   */
  default @Nullable Claim claim(int events) {
    return null;
  }

  /** Like {@link #afterCommit(List)}, with the claim that the rows carry, if they do. */
  default void afterCommit(List<EventEnvelope> events, @Nullable Claim claim) {
    afterCommit(events);
  }

  default void afterRollback(List<EventEnvelope> events) {}
}
