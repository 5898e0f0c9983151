package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import outbox.DeferException;
import outbox.NonRetryableException;
import outbox.RetryAfterException;
import outbox.internal.ErrorText;
import outbox.internal.SafeLogger;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/** Turns the result of a try into an outcome: delivered, deferred, tried again, or buried. */
final class Judge {

  private static final Logger LOG = SafeLogger.of(Judge.class);
  private static final Duration LONGEST_DELAY = Duration.ofDays(3650);

  /** How long an event without listener is left to others, so that no node spins on it. */
  static final Duration UNROUTABLE_DELAY = Duration.ofSeconds(10);

  private static final Duration SHORTEST_STALL = Duration.ofSeconds(1);
  private static final Duration LONGEST_STALL = Duration.ofSeconds(20);

  private final RetryPolicy retryPolicy;
  private final RetryPolicy fallback = new ExponentialBackoffRetryPolicy(200, 60_000);
  private final UnroutablePolicy unroutable;
  private final FailureText failureText;
  private final int maxAttempts;
  private final Clock clock;
  private final Outcome delivered;

  Judge(
      RetryPolicy retryPolicy,
      int maxAttempts,
      CompletionMode completion,
      Clock clock,
      UnroutablePolicy unroutable,
      FailureText failureText) {
    this.retryPolicy = retryPolicy;
    this.maxAttempts = maxAttempts;
    this.clock = clock;
    this.unroutable = unroutable;
    this.failureText = failureText;
    delivered = new Outcome.Delivered(completion == CompletionMode.DELETE);
  }

  Outcome judge(QueuedEvent event, @Nullable Throwable failure) {
    if (failure == null) {
      return delivered;
    }
    Throwable decisive = decisive(failure);
    if (decisive instanceof DeferException defer) {
      return new Outcome.Deferred(event.attempts(), after(defer.delay()));
    }
    if (decisive instanceof UnroutableEventException && unroutable != UnroutablePolicy.DEAD) {
      return judgeUnroutable(event, failure);
    }
    int tries = event.attempts() + 1;
    boolean isLast = tries >= maxAttempts;
    if (isLast || isHopeless(decisive)) {
      return new Outcome.Dead(tries, describe(event, failure));
    }
    return new Outcome.Retry(tries, after(delay(tries, decisive)), describe(event, failure));
  }

  /** Null if there may be one more try of an event whose last holder did not end its own. */
  @Nullable
  Outcome judgeUnended(QueuedEvent event) {
    int tries = event.attempts();
    return tries < maxAttempts
        ? null
        : new Outcome.Dead(
            tries,
            "delivery was started %d times and not ended: each time the process died or stalled, or the database refused the status"
                .formatted(tries));
  }

  /**
   * Puts off for as long as the listener has got nowhere, and up to half as much again: 1 to 1.5 s
   * at first, 20 to 30 s in the end.
   */
  Outcome judgeStalled(QueuedEvent event, Duration stalled) {
    Duration least = longer(SHORTEST_STALL, shorter(stalled, LONGEST_STALL));
    long more = ThreadLocalRandom.current().nextLong(least.toMillis() / 2 + 1);
    return new Outcome.Deferred(event.attempts(), after(least.plusMillis(more)));
  }

  /** The try that close interrupted doesn't count. */
  Outcome judgeInterrupted(Delivery delivery) {
    return delivery.isStarted()
        ? new Outcome.Deferred(delivery.event().attempts(), clock.instant())
        : new Outcome.Released();
  }

  private Outcome judgeUnroutable(QueuedEvent event, Throwable failure) {
    if (unroutable == UnroutablePolicy.LEAVE) {
      return new Outcome.Deferred(event.attempts(), after(UNROUTABLE_DELAY));
    }
    Duration delay = longer(UNROUTABLE_DELAY, policyDelay(event.attempts() + 1));
    return new Outcome.Retry(event.attempts(), after(delay), describe(event, failure));
  }

  /** The outermost failure that says by its type how to go on, however it was wrapped. */
  private static Throwable decisive(Throwable failure) {
    return ErrorText.chain(failure).stream().filter(Judge::isDecisive).findFirst().orElse(failure);
  }

  /** What a listener says after its time is over doesn't count. */
  private static boolean isDecisive(Throwable failure) {
    return failure instanceof DispatchTimeoutException
        || failure instanceof DeferException
        || failure instanceof RetryAfterException
        || isHopeless(failure);
  }

  private static boolean isHopeless(Throwable failure) {
    return failure instanceof NonRetryableException || failure instanceof UnroutableEventException;
  }

  private Duration delay(int tries, Throwable decisive) {
    Duration byPolicy = policyDelay(tries);
    return decisive instanceof RetryAfterException retryAfter
        ? longer(byPolicy, retryAfter.delayFrom(clock.instant()))
        : byPolicy;
  }

  private Duration policyDelay(int tries) {
    long millis;
    try {
      millis = retryPolicy.computeDelayMs(tries);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "retry policy failed; the default back-off is used for this event", e);
      millis = fallback.computeDelayMs(tries);
    }
    return Duration.ofMillis(Math.max(0, millis));
  }

  private Instant after(Duration delay) {
    return clock.instant().plus(delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay);
  }

  private String describe(QueuedEvent event, Throwable failure) {
    return failureText.of(event.envelope(), failure);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
