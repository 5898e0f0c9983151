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

  private final Set<CompletableFuture<?>> batches = ConcurrentHashMap.newKeySet();

  /** The stage that is handed out may be cancelled; its batch goes on. */
  CompletableFuture<?> add(CompletableFuture<?> batch) {
    batches.add(batch);
    return batch.whenComplete((done, failure) -> batches.remove(batch));
  }

  /** Returns when all have ended, when the time is over, or when the thread is interrupted. */
  void await(Duration longest) {
    try {
      CompletableFuture.allOf(batches.toArray(new CompletableFuture<?>[0]))
          .get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException over) {
      // What is left is broken off.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
