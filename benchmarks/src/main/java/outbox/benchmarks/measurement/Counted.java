package outbox.benchmarks.measurement;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import outbox.AsyncBatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;

/** A listener, with a count of the events that it is done with. */
record Counted(AsyncBatchEventListener listener, LongAdder delivered)
    implements AsyncBatchEventListener {

  @Override
  public CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result)
      throws Exception {
    return listener
        .onEventsAsync(events, result)
        .whenComplete((nothing, failure) -> delivered.add(events.size()));
  }

  @Override
  public int maxBatch() {
    return listener.maxBatch();
  }
}
