package outbox.model;

import java.util.Objects;
import outbox.AggregateType;
import outbox.EventEnvelope;

/** What the listener of an event is found by. */
public record EventKind(String aggregateType, String eventType) {

  public EventKind {
    Objects.requireNonNull(aggregateType, "aggregateType must not be null");
    Objects.requireNonNull(eventType, "eventType must not be null");
  }

  public static EventKind of(EventEnvelope event) {
    return new EventKind(event.aggregateType(), event.eventType());
  }

  /** A row without aggregate type is of {@link AggregateType#GLOBAL}. */
  public static EventKind of(OutboxEvent row) {
    String aggregateType = row.aggregateType();
    return new EventKind(
        aggregateType == null ? AggregateType.GLOBAL.name() : aggregateType, row.eventType());
  }
}
