package outbox.benchmarks.measurement;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import outbox.AsyncBatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;

/** A listener, with a count of the events that it says were delivered. */
record Acknowledged(AsyncBatchEventListener listener, LongAdder delivered)
    implements AsyncBatchEventListener {

  @Override
  public CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result)
      throws Exception {
    return listener.onEventsAsync(events, new Counting(result));
  }

  @Override
  public int maxBatch() {
    return listener.maxBatch();
  }

  @Override
  public boolean isAway() {
    return listener.isAway();
  }

  @Override
  public void endedNothingFor(Duration stalled) {
    listener.endedNothingFor(stalled);
  }

  private final class Counting implements BatchResult {

    private final BatchResult result;

    Counting(BatchResult result) {
      this.result = result;
    }

    @Override
    public void delivered(EventEnvelope event) {
      result.delivered(event);
      delivered.increment();
    }

    @Override
    public void failed(EventEnvelope event, Throwable failure) {
      result.failed(event, failure);
    }
  }
}
