package outbox.dispatch;

/** Decides how long a failed event waits; {@code attempts} is the number of tries made, from 1. */
@FunctionalInterface
public interface RetryPolicy {

  long computeDelayMs(int attempts);
}
