package outbox;

import java.util.List;
import outbox.internal.BatchMarks;

/**
 * A listener that takes several events at once: those that came while it was busy with the last
 * batch.
 *
 * <p>Registered like any other. An idle listener gets an event at once, alone; nothing waits for a
 * batch to fill. One batch is delivered at a time, on one worker. Events are in the order in which
 * they were queued, of all event types that this listener is registered for.
 *
 * <p>Returning delivers every event that was not reported as failed; throwing fails every event
 * that was not reported as delivered. Each event then goes its own way, as if it had been delivered
 * alone.
 */
public interface BatchEventListener extends EventListener {

  void onEvents(List<EventEnvelope> events, BatchResult result) throws Exception;

  /** The most events of one batch; default 100. */
  default int maxBatch() {
    return 100;
  }

  /** A batch of one. */
  @Override
  default void onEvent(EventEnvelope event) throws Exception {
    BatchMarks marks = new BatchMarks(List.of(event));
    marks.run(() -> onEvents(List.of(event), marks));
    marks.throwFailureOf(event);
  }
}
