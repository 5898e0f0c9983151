package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import outbox.internal.ErrorText;
import outbox.util.Nullable;

/** Turns the result of a try into an outcome: delivered, tried again later, or buried. */
final class Judge {

  private static final Logger LOG = System.getLogger(Judge.class.getName());
  private static final Outcome DELIVERED = new Outcome.Delivered();
  private static final long LONGEST_DELAY_MS = Duration.ofDays(3650).toMillis();

  private final RetryPolicy retryPolicy;
  private final RetryPolicy fallback = new ExponentialBackoffRetryPolicy(200, 60_000);
  private final int maxAttempts;
  private final Clock clock;

  Judge(RetryPolicy retryPolicy, int maxAttempts, Clock clock) {
    this.retryPolicy = retryPolicy;
    this.maxAttempts = maxAttempts;
    this.clock = clock;
  }

  Outcome judge(QueuedEvent event, @Nullable Throwable failure) {
    if (failure == null) {
      return DELIVERED;
    }
    String error = ErrorText.of(failure);
    int tries = event.attempts() + 1;
    if (failure instanceof UnroutableEventException || tries >= maxAttempts) {
      return new Outcome.Dead(error);
    }
    return new Outcome.Retry(clock.instant().plusMillis(delayMs(tries)), error);
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
