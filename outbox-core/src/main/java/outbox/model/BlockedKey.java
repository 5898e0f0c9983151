package outbox.model;

import java.time.Duration;
import java.time.Instant;

/**
 * An aggregate whose events wait because the first of them failed.
 *
 * @param relay whose order it is
 * @param head the event that failed: RETRY if it is tried again by itself, DEAD if it waits for an
 *     operator
 * @param depth how many pending events wait behind it; at least so many if more are pending than
 *     the store looks at, which on a database are the first 100,000
 * @param since when the head was written, if it is tried again, or when it died
 */
public record BlockedKey(String relay, EventKey key, EventDetails head, long depth, Instant since) {

  /** Whether nothing happens until an operator decides. */
  public boolean waitsForOperator() {
    return head.status() == EventStatus.DEAD;
  }

  public Duration age(Instant now) {
    return Duration.between(since, now);
  }
}
