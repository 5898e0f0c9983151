package outbox.destination;

import java.util.List;
import java.util.concurrent.CompletionStage;
import outbox.BatchResult;
import outbox.EventEnvelope;

/**
 * Sends events to a broker or server, and says of each whether that has taken it. Safe for all
 * threads.
 *
 * <p>An event counts as delivered only when the other side has acknowledged it. What fails says
 * how:
 *
 * <ul>
 *   <li>{@link outbox.NonRetryableException}: this event will never be taken (too large, refused).
 *   <li>{@link UnavailableException}: no event can be taken now; nothing is wrong with this one.
 *   <li>{@link outbox.RetryAfterException} and {@link outbox.DeferException}: as for any listener.
 *   <li>anything else: a failed try of this event.
 * </ul>
 *
 * <p>A destination is not registered as a listener by itself but through a {@link
 * GuardedDestination}, which pauses it during an outage.
 */
public interface Destination extends AutoCloseable {

  /** Names it in logs, metrics and health; unique among the destinations of an outbox. */
  String name();

  /**
   * Sends these events, and those of one key in this order. Returns at once; the stage completes
   * when every event has its answer. What was reported of single events counts; the others are
   * delivered when the stage completes, or have failed if it completes exceptionally.
   */
  CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) throws Exception;

  /** The most events of one call. */
  default int maxBatch() {
    return 500;
  }

  /** Waits, within bounds, for what is under way, and then lets go of connections and threads. */
  @Override
  void close();
}
