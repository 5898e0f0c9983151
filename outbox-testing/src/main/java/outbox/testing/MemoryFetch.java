package outbox.testing;

import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.spi.Fetch;

/** The rows that a fetch gets, if it is asked for one after the other in their order. */
final class MemoryFetch implements Predicate<EventDetails> {

  private final Fetch fetch;
  private final @Nullable Instant lockExpiry;
  private final WithinBytes<EventDetails> within;

  /** Locked ones included. */
  MemoryFetch(Fetch fetch) {
    this(fetch, null);
  }

  /** Without those locked at this moment or later. */
  MemoryFetch(Fetch fetch, @Nullable Instant lockExpiry) {
    this.fetch = fetch;
    this.lockExpiry = lockExpiry;
    this.within = new WithinBytes<>(fetch.bytes(), EventDetails::event);
  }

  @Override
  public boolean test(EventDetails row) {
    return isWanted(row) && isFree(row) && within.test(row);
  }

  private boolean isWanted(EventDetails row) {
    OutboxEvent event = row.event();
    return !row.availableAt().isAfter(fetch.now())
        && !event.createdAt().isAfter(fetch.createdUntil())
        && fetch.filter().takes(event.eventType(), event.aggregateType(), event.tenantId());
  }

  private boolean isFree(EventDetails row) {
    return lockExpiry == null || row.lockedAt() == null || row.lockedAt().isBefore(lockExpiry);
  }
}
