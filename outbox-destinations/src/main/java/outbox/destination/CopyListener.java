package outbox.destination;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import outbox.AsyncBatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.OutboxException;

/** Sends the events that copies were made of, and tells of the copies what became of them. */
final class CopyListener implements AsyncBatchEventListener {

  private final GuardedDestination destination;

  CopyListener(GuardedDestination destination) {
    this.destination = destination;
  }

  @Override
  public CompletionStage<?> onEventsAsync(List<EventEnvelope> copies, BatchResult result) {
    List<EventEnvelope> originals = new ArrayList<>(copies.size());
    Map<String, EventEnvelope> copyOf = new HashMap<>();
    for (EventEnvelope copy : copies) {
      try {
        EventEnvelope original = Copy.original(copy);
        originals.add(original);
        copyOf.put(original.eventId(), copy);
      } catch (OutboxException | IllegalArgumentException e) {
        result.failed(copy, e);
      }
    }
    return originals.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : destination.onEventsAsync(originals, new OfCopies(copyOf, result));
  }

  @Override
  public int maxBatch() {
    return destination.maxBatch();
  }

  @Override
  public boolean isAway() {
    return destination.isAway();
  }

  @Override
  public void endedNothingFor(Duration stalled) {
    destination.endedNothingFor(stalled);
  }

  @Override
  public String toString() {
    return "copies for " + destination;
  }

  private record OfCopies(Map<String, EventEnvelope> copyOf, BatchResult result)
      implements BatchResult {

    @Override
    public void delivered(EventEnvelope event) {
      result.delivered(copy(event));
    }

    @Override
    public void failed(EventEnvelope event, Throwable failure) {
      result.failed(copy(event), failure);
    }

    private EventEnvelope copy(EventEnvelope original) {
      return copyOf.getOrDefault(original.eventId(), original);
    }
  }
}
