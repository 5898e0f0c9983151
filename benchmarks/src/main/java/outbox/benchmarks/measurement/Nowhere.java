package outbox.benchmarks.measurement;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.destination.Destination;

/** Takes everything at once and does nothing with it. */
final class Nowhere implements Destination {

  @Override
  public String name() {
    return "nowhere";
  }

  @Override
  public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {}
}
