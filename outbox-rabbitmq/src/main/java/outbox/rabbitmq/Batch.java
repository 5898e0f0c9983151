package outbox.rabbitmq;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import outbox.BatchResult;
import outbox.EventEnvelope;

/** Events that were given together, and the stage that ends with the last answer. */
final class Batch {

  private final BatchResult result;
  private final AtomicInteger unanswered;
  private final CompletableFuture<Void> stage = new CompletableFuture<>();

  Batch(int size, BatchResult result) {
    this.result = result;
    unanswered = new AtomicInteger(size);
    if (size == 0) {
      stage.complete(null);
    }
  }

  CompletableFuture<Void> stage() {
    return stage;
  }

  void delivered(EventEnvelope event) {
    result.delivered(event);
    answered();
  }

  void failed(EventEnvelope event, Throwable failure) {
    result.failed(event, failure);
    answered();
  }

  private void answered() {
    if (unanswered.decrementAndGet() == 0) {
      stage.complete(null);
    }
  }
}
