package outbox.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import outbox.EventEnvelope;
import outbox.WriterHook;

/** Remembers which of its methods was called with which events, in order. */
public final class RecordingWriterHook implements WriterHook {

  /** The moments of a write at which a hook is called. */
  public enum Step {
    BEFORE_WRITE,
    AFTER_WRITE,
    AFTER_COMMIT,
    AFTER_ROLLBACK
  }

  /** One call of the hook. */
  public record Call(Step step, List<EventEnvelope> events) {

    public Call {
      events = List.copyOf(events);
    }
  }

  private final List<Call> calls = new CopyOnWriteArrayList<>();

  @Override
  public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
    calls.add(new Call(Step.BEFORE_WRITE, events));
    return events;
  }

  @Override
  public void afterWrite(List<EventEnvelope> events) {
    calls.add(new Call(Step.AFTER_WRITE, events));
  }

  @Override
  public void afterCommit(List<EventEnvelope> events) {
    calls.add(new Call(Step.AFTER_COMMIT, events));
  }

  @Override
  public void afterRollback(List<EventEnvelope> events) {
    calls.add(new Call(Step.AFTER_ROLLBACK, events));
  }

  public List<Call> calls() {
    return new ArrayList<>(calls);
  }

  public List<Step> steps() {
    return calls.stream().map(Call::step).toList();
  }
}
