package outbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;
import outbox.internal.PayloadMask;
import outbox.internal.SafeLogger;
import outbox.internal.ToldFailure;
import outbox.util.Nullable;

/**
 * Runs the steps of a hook for a batch that is being written, without keeping its events. Not even
 * an Error may reach the caller: the events are written, and delivery can wait.
 */
record WrittenBatch(int count, String firstEventId) {

  private static final Logger LOG = SafeLogger.of(OutboxWriter.class);

  static WrittenBatch of(List<EventEnvelope> events) {
    return new WrittenBatch(events.size(), events.get(0).eventId());
  }

  /** Runs what knows these events; if it fails, then without quoting them. */
  static <T> T hiding(List<EventEnvelope> events, Supplier<T> hook) {
    try {
      return hook.get();
    } catch (Throwable e) {
      throw ToldFailure.unchecked(e, PayloadMask.of(events));
    }
  }

  static void hiding(List<EventEnvelope> events, Runnable hook) {
    hiding(
        events,
        () -> {
          hook.run();
          return events;
        });
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
