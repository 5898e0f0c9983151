package outbox;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import outbox.internal.Stages;

/**
 * A {@link BatchEventListener} that doesn't keep a worker waiting: the batch ends when the stage
 * completes, and the next one may begin before that.
 *
 * <p>What was reported of single events counts, whenever it was, until the stage completes; then
 * the others are delivered, or have failed if it completed exceptionally.
 *
 * <p>One that has enough for the moment answers {@link #maxBatch} with zero: then its events wait
 * where they are, and it is asked again when a batch of its has ended, or a moment later.
 */
public interface AsyncBatchEventListener extends BatchEventListener {

  CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result) throws Exception;

  /**
   * Whether it would put off whatever came now, because of what it delivers to. Where order is
   * kept, its events then stay in the table untouched. It is asked often, to be answered at once,
   * and must become false by itself: nothing comes that could show that it can.
   */
  default boolean isAway() {
    return false;
  }

  /**
   * Its events were put off, because it has ended nothing for this long and others lacked the room;
   * to return at once. A registry may leave them in the table for a while, see {@link
   * outbox.registry.ListenerRegistry#eventTypes}.
   */
  default void endedNothingFor(Duration stalled) {}

  /** For callers that know nothing of stages: waits for it. */
  @Override
  default void onEvents(List<EventEnvelope> events, BatchResult result) throws Exception {
    Stages.await(onEventsAsync(events, result));
  }
}
