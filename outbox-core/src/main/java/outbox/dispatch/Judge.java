package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import outbox.internal.ErrorText;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/** Turns the result of a try into an outcome: delivered, tried again later, or buried. */
final class Judge {

  private static final Logger LOG = System.getLogger(Judge.class.getName());
  private static final long LONGEST_DELAY_MS = Duration.ofDays(3650).toMillis();

  private final RetryPolicy retryPolicy;
  private final RetryPolicy fallback = new ExponentialBackoffRetryPolicy(200, 60_000);
  private final int maxAttempts;
  private final Clock clock;
  private final Outcome delivered;

  Judge(RetryPolicy retryPolicy, int maxAttempts, CompletionMode completion, Clock clock) {
    this.retryPolicy = retryPolicy;
    this.maxAttempts = maxAttempts;
    this.clock = clock;
    delivered = new Outcome.Delivered(completion == CompletionMode.DELETE);
  }

  Outcome judge(QueuedEvent event, @Nullable Throwable failure) {
    if (failure == null) {
      return delivered;
    }
    String error = ErrorText.of(failure);
    int tries = event.attempts() + 1;
    if (failure instanceof UnroutableEventException || tries >= maxAttempts) {
      return new Outcome.Dead(tries, error);
    }
    return new Outcome.Retry(tries, clock.instant().plusMillis(delayMs(tries)), error);
  }

  /** Null if there may be one more try of an event whose last holder did not end its own. */
  @Nullable
  Outcome judgeUnended(QueuedEvent event) {
    int tries = event.attempts();
    return tries < maxAttempts
        ? null
        : new Outcome.Dead(
            tries,
            "delivery was started %d times and not ended: the process died or stalled each time"
                .formatted(tries));
  }

  /** The try that close interrupted doesn't count. */
  Outcome judgeInterrupted(Delivery delivery) {
    return delivery.isStarted()
        ? new Outcome.Deferred(delivery.event().attempts(), clock.instant())
        : new Outcome.Released();
  }

  private long delayMs(int tries) {
    return Math.max(0, Math.min(LONGEST_DELAY_MS, askPolicy(tries)));
  }

  private long askPolicy(int tries) {
    try {
      return retryPolicy.computeDelayMs(tries);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "retry policy failed; the default back-off is used for this event", e);
      return fallback.computeDelayMs(tries);
    }
  }
}
