package outbox.model;

import java.time.Instant;
import java.util.Objects;
import outbox.internal.Require;
import outbox.util.Nullable;

/**
 * A page of dead events in the order of their creation. The next page begins after the last event
 * of this one, so that nothing is missed or shown twice while events die and are replayed.
 *
 * @param after where the page begins; null: at the beginning
 */
public record DeadQuery(DeadFilter filter, Order order, @Nullable Position after, int limit) {

  /** The largest page. */
  public static final int MAX_LIMIT = 1000;

  private static final int DEFAULT_LIMIT = 100;

  /** By the time of creation, then by id. */
  public enum Order {
    OLDEST_FIRST,
    NEWEST_FIRST
  }

  /** Where an event stands in the order. */
  public record Position(Instant createdAt, String eventId) {

    public Position {
      Objects.requireNonNull(createdAt, "createdAt must not be null");
      Objects.requireNonNull(eventId, "eventId must not be null");
    }

    public static Position of(OutboxEvent event) {
      return new Position(event.createdAt(), event.eventId());
    }
  }

  public DeadQuery {
    Objects.requireNonNull(filter, "filter must not be null");
    Objects.requireNonNull(order, "order must not be null");
    Require.check(limit >= 1 && limit <= MAX_LIMIT, "limit", "between 1 and " + MAX_LIMIT, limit);
  }

  /** The oldest hundred. */
  public static DeadQuery of(DeadFilter filter) {
    return new DeadQuery(filter, Order.OLDEST_FIRST, null, DEFAULT_LIMIT);
  }

  public DeadQuery newestFirst() {
    return new DeadQuery(filter, Order.NEWEST_FIRST, after, limit);
  }

  public DeadQuery withLimit(int limit) {
    return new DeadQuery(filter, order, after, limit);
  }

  public DeadQuery startingAfter(@Nullable Position after) {
    return new DeadQuery(filter, order, after, limit);
  }
}
