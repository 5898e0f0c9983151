package outbox.jdbc.store;

import java.time.Duration;
import java.time.Instant;

/** Which pending events are wanted: due by now, created early enough, so many at most. */
record PendingQuery(Instant now, Duration skipRecent, int limit) {

  Instant createdUntil() {
    return now.minus(skipRecent);
  }

  boolean wantsNone() {
    return limit <= 0;
  }
}
