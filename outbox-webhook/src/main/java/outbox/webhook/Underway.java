package outbox.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The batches that have not ended. */
final class Underway {

  private final Set<CompletableFuture<?>> stages = ConcurrentHashMap.newKeySet();

  /** Whoever cancels the stage that is handed out ends what has not begun, and nothing else. */
  CompletableFuture<?> add(Batch batch) {
    CompletableFuture<?> handedOut = batch.end().copy();
    for (CompletableFuture<?> stage : List.of(batch.end(), handedOut)) {
      stages.add(stage);
      var unused =
          stage.whenComplete(
              (done, failure) -> {
                stages.remove(stage);
                batch.putOff(); // of no effect unless it was cancelled
              });
    }
    return handedOut;
  }

  /** Returns when all have ended, when the time is over, or when the thread is interrupted. */
  void await(Duration longest) {
    try {
      CompletableFuture.allOf(stages.toArray(new CompletableFuture<?>[0]))
          .get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException over) {
      // What is left is broken off.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
