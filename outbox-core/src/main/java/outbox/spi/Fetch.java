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
 * <p>With a claim they get locked, and those locked by others are passed over. {@code from} spares
 * the database what the poller has just looked at; null looks at everything.
 */
public record Fetch(
    Instant now,
    Duration skipRecent,
    int limit,
    EventFilter filter,
    @Nullable Claim claim,
    @Nullable Position from) {

  /** Where to start; of the two times the one by which the store searches counts. */
  public record Position(Instant availableAt, Instant createdAt) {}

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
