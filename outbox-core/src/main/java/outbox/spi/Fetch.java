package outbox.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import outbox.internal.Require;
import outbox.util.Nullable;

/**
 * Which pending events a poller asks for: due by {@code now}, created at least {@code skipRecent}
 * before, wanted by the filter, oldest first, at most {@code limit}.
 *
 * <p>With a claim they get locked, and those locked by others are passed over. {@code createdFrom}
 * spares the database what the poller has just looked at; null looks at everything.
 */
public record Fetch(
    Instant now,
    Duration skipRecent,
    int limit,
    EventFilter filter,
    @Nullable Claim claim,
    @Nullable Instant createdFrom) {

  public Fetch {
    Objects.requireNonNull(now, "now must not be null");
    Require.notNegative("skipRecent", skipRecent);
    Objects.requireNonNull(filter, "filter must not be null");
  }

  /** Events created later are left alone. */
  public Instant createdUntil() {
    return now.minus(skipRecent);
  }
}
