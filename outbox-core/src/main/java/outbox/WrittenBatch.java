package outbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;
import outbox.util.Nullable;

/**
 * Runs the steps of a hook for a batch that is being written, without keeping its events. Not even
 * an Error may reach the caller: the events are written, and delivery can wait.
 */
record WrittenBatch(int count, String firstEventId) {

  private static final Logger LOG = System.getLogger(OutboxWriter.class.getName());

  static WrittenBatch of(List<EventEnvelope> events) {
    return new WrittenBatch(events.size(), events.get(0).eventId());
  }

  void run(String step, Runnable hook) {
    ask(
        step,
        () -> {
          hook.run();
          return null;
        });
  }

  /** Null if the hook fails. */
  <T> @Nullable T ask(String step, Supplier<@Nullable T> hook) {
    try {
      return hook.get();
    } catch (Throwable e) {
      LOG.log(
          Level.ERROR,
          () ->
              "writer hook failed in %s; its events are delivered from the database: count=%d firstEventId=%s"
                  .formatted(step, count, firstEventId),
          e);
      return null;
    }
  }
}
