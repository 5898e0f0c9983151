package outbox.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import outbox.internal.Require;
import outbox.util.Nullable;

/**
 * Which pending events a poller asks for: due by {@code now}, created at least {@code skipRecent}
 * before, wanted by the filter. Of more than {@code limit} a store takes the oldest, or those that
 * have been due for longest; what it returns is the oldest first.
 *
 * <p>With a claim they get locked, and those locked by others are passed over. {@code dueSince}
 * spares the database what was due before, which the poller has looked at or comes back for; null
 * looks at everything. A store may ignore it, and must if it takes the oldest.
 *
 * <p>A store that knows how long texts are ends with the event that brings payloads and headers
 * together to {@code bytes}, and locks none beyond: so the first is there however large it is, and
 * what is fetched is never more than that and one event. A store that doesn't fetches up to the
 * limit.
 */
public record Fetch(
    Instant now,
    Duration skipRecent,
    int limit,
    EventFilter filter,
    @Nullable Claim claim,
    @Nullable Instant dueSince,
    long bytes) {

  public Fetch {
    Objects.requireNonNull(now, "now must not be null");
    Require.notNegative("skipRecent", skipRecent);
    Objects.requireNonNull(filter, "filter must not be null");
  }

  /** However large they are. */
  public Fetch(
      Instant now,
      Duration skipRecent,
      int limit,
      EventFilter filter,
      @Nullable Claim claim,
      @Nullable Instant dueSince) {
    this(now, skipRecent, limit, filter, claim, dueSince, Long.MAX_VALUE);
  }

  /** Events created later are left alone. */
  public Instant createdUntil() {
    return now.minus(skipRecent);
  }
}
