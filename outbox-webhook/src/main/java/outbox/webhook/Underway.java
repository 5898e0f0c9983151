package outbox.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The stages that have not ended. */
final class Underway {

  private final Set<CompletableFuture<?>> stages = ConcurrentHashMap.newKeySet();

  /** The stage that is handed out may be cancelled; its batch goes on. Both have to end. */
  CompletableFuture<?> add(CompletableFuture<?> batch) {
    CompletableFuture<?> handedOut = batch.copy();
    for (CompletableFuture<?> future : List.of(batch, handedOut)) {
      stages.add(future);
      var unused = future.whenComplete((done, failure) -> stages.remove(future));
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
