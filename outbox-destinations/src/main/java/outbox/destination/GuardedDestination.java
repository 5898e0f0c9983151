package outbox.destination;

import java.util.List;
import java.util.concurrent.CompletionStage;
import outbox.AsyncBatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;

/** The listener of a destination. */
public final class GuardedDestination implements AsyncBatchEventListener, AutoCloseable {

  private final Destination destination;

  public GuardedDestination(Destination destination) {
    this.destination = destination;
  }

  @Override
  public CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result)
      throws Exception {
    return destination.send(events, result);
  }

  @Override
  public int maxBatch() {
    return destination.maxBatch();
  }

  @Override
  public void close() {
    destination.close();
  }
}
