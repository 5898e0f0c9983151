package outbox.kafka;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import outbox.BatchResult;
import outbox.EventEnvelope;

/**
 * A batch under way; its stage completes when every event has its one answer. That happens on a
 * thread of its own, because what follows may take long and answers come from the producer's only
 * thread.
 */
final class Shipment {

  private final CompletableFuture<Void> stage = new CompletableFuture<>();
  private final AtomicInteger open;
  private final BatchResult result;
  private final Executor answers;

  @SuppressWarnings("FutureReturnValueIgnored") // the stage itself tells
  Shipment(int size, BatchResult result, Executor answers, Consumer<Shipment> ended) {
    this.open = new AtomicInteger(size);
    this.result = result;
    this.answers = answers;
    stage.whenComplete((nothing, failure) -> ended.accept(this)); // whoever completes it
  }

  CompletionStage<?> stage() {
    return stage;
  }

  /** Not if somebody else has ended the stage, who may be sending the events again already. */
  boolean isOpen() {
    return !stage.isDone();
  }

  void delivered(EventEnvelope event) {
    result.delivered(event);
    answered();
  }

  void failed(EventEnvelope event, Throwable failure) {
    result.failed(event, failure);
    answered();
  }

  /**
   * Gives up after that time. The producer has a limit of its own, but records that were handed to
   * a new producer while its broker was killed were seen to wait beyond it.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // ends with the stage
  void limit(Duration time, Supplier<? extends Throwable> failure) {
    CompletableFuture<Void> timer = new CompletableFuture<>();
    timer
        .orTimeout(time.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (nothing, end) -> {
              if (end instanceof TimeoutException) {
                giveUp(failure.get());
              }
            });
    stage.whenComplete((nothing, end) -> timer.cancel(false));
  }

  /** Ends it with whatever is not answered yet. */
  void giveUp(Throwable failure) {
    stage.completeExceptionally(failure);
  }

  private void answered() {
    if (open.decrementAndGet() == 0) {
      complete();
    }
  }

  private void complete() {
    try {
      answers.execute(() -> stage.complete(null));
    } catch (RejectedExecutionException closed) {
      stage.complete(null);
    }
  }
}
