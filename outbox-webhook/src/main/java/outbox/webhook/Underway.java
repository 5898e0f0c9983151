package outbox.webhook;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The batches that have not ended. */
final class Underway {

  private final Set<Handed> batches = ConcurrentHashMap.newKeySet();

  /** Whoever cancels the stage that is handed out ends what has not begun, and nothing else. */
  CompletableFuture<?> add(Batch batch) {
    CompletableFuture<?> handedOut = batch.end().copy();
    Handed handed = new Handed(CompletableFuture.allOf(batch.end(), handedOut));
    batches.add(handed);
    var unused = handed.end.whenComplete((done, failure) -> batches.remove(handed));
    var unusedPutOff =
        handedOut.whenComplete(
            (done, failure) -> batch.putOff()); // of no effect unless it was cancelled
    return handedOut;
  }

  /** Returns when all have ended, when the time is over, or when the thread is interrupted. */
  void await(Duration longest) {
    try {
      CompletableFuture.allOf(
              batches.stream().map(handed -> handed.end).toArray(CompletableFuture<?>[]::new))
          .get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException over) {
      // What is left is broken off.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A batch and the stage of it that was handed out: both have to end. */
  private static final class Handed {

    private final CompletableFuture<?> end;

    Handed(CompletableFuture<?> end) {
      this.end = end;
    }
  }
}
