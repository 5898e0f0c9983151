package outbox.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.util.Nullable;

/** Remembers what a listener said of the events of a batch until the batch ends. */
public final class BatchMarks implements BatchResult {

  /** Each event of the batch; null as long as nothing was said of it. */
  private final Map<String, @Nullable Mark> marks = new HashMap<>();

  private @Nullable Throwable thrown;
  private boolean ended;

  /** The part of a listener that works on a batch. */
  @FunctionalInterface
  public interface Work {
    void run() throws Exception;
  }

  private record Mark(@Nullable Throwable failure) {}

  public BatchMarks(List<EventEnvelope> events) {
    events.forEach(event -> marks.put(event.eventId(), null));
  }

  @Override
  public void delivered(EventEnvelope event) {
    mark(event, new Mark(null));
  }

  @Override
  public void failed(EventEnvelope event, Throwable failure) {
    mark(event, new Mark(Objects.requireNonNull(failure, "failure must not be null")));
  }

  /** Ends the batch with the work, whatever that throws. */
  public void run(Work work) {
    try {
      work.run();
      end(null);
    } catch (Throwable e) {
      end(e);
    }
  }

  /** From now on nothing changes any more. */
  public synchronized void end(@Nullable Throwable failure) {
    thrown = failure;
    ended = true;
  }

  /** What went wrong with the event; null if it was delivered. */
  public synchronized @Nullable Throwable failureOf(EventEnvelope event) {
    Mark mark = marks.get(event.eventId());
    return mark == null ? thrown : mark.failure();
  }

  public void throwFailureOf(EventEnvelope event) throws Exception {
    Throwable failure = failureOf(event);
    if (failure != null) {
      throw Stages.asException(failure);
    }
  }

  private synchronized void mark(EventEnvelope event, Mark mark) {
    if (!marks.containsKey(event.eventId())) {
      throw new IllegalArgumentException("event must be one of the batch, got: " + event);
    }
    if (!ended) {
      marks.put(event.eventId(), mark);
    }
  }
}
