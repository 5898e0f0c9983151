package outbox.model;

import java.util.Objects;
import outbox.util.Nullable;

/** What events are kept in order by: the aggregate that they tell of. */
public record EventKey(@Nullable String aggregateType, String aggregateId) {

  public EventKey {
    Objects.requireNonNull(aggregateId, "aggregateId must not be null");
  }

  /** Null for an event that tells of no aggregate and so has no order. */
  public static @Nullable EventKey of(OutboxEvent event) {
    String aggregateId = event.aggregateId();
    return aggregateId == null ? null : new EventKey(event.aggregateType(), aggregateId);
  }

  @Override
  public String toString() {
    return aggregateType == null ? aggregateId : aggregateType + "/" + aggregateId;
  }
}
