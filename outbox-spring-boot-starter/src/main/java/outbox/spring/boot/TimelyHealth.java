package outbox.spring.boot;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.util.DaemonThreadFactory;

/**
 * Asks for the health on a thread of its own, so that nobody waits for longer than the timeout. A
 * question that is still unanswered is not asked a second time.
 */
final class TimelyHealth {

  private final Supplier<HealthReport> check;
  private final Duration timeout;
  private final DaemonThreadFactory threads = new DaemonThreadFactory("outbox-health-");
  private @Nullable CompletableFuture<HealthReport> asked;

  TimelyHealth(Supplier<HealthReport> check, Duration timeout) {
    this.check = check;
    this.timeout = timeout;
  }

  HealthReport report() {
    try {
      return ask().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return HealthReport.down(
          "The database has not answered within %s. Look at it, and whether the connection pool has connections left."
              .formatted(timeout));
    } catch (ExecutionException e) {
      return HealthReport.down(
          "The database can't be asked: %s. Look at it and at the DataSource's settings."
              .formatted(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return HealthReport.down("The question was interrupted. Ask again.");
    }
  }

  private synchronized CompletableFuture<HealthReport> ask() {
    CompletableFuture<HealthReport> answer = asked;
    if (answer == null || answer.isDone()) {
      CompletableFuture<HealthReport> next = new CompletableFuture<>();
      threads.newThread(() -> answer(next)).start();
      asked = next;
      answer = next;
    }
    return answer;
  }

  private void answer(CompletableFuture<HealthReport> next) {
    try {
      next.complete(check.get());
    } catch (RuntimeException | Error e) {
      next.completeExceptionally(e);
    }
  }
}
