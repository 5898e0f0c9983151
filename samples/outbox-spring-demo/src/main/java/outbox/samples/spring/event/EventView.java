package outbox.samples.spring.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/** Everything about an event but its payload, which is nobody's business here. */
public record EventView(
    String eventId,
    String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    EventStatus status,
    int attempts,
    Instant createdAt,
    Instant availableAt,
    @Nullable Instant deliveredAt,
    @Nullable Instant diedAt,
    @Nullable String lastError,
    @Nullable String lockedBy,
    @Nullable Instant lockedAt) {

  public static EventView of(EventDetails details) {
    OutboxEvent event = details.event();
    return new EventView(
        event.eventId(),
        event.eventType(),
        event.aggregateType(),
        event.aggregateId(),
        details.status(),
        event.attempts(),
        event.createdAt(),
        details.availableAt(),
        details.status() == EventStatus.DONE ? details.doneAt() : null,
        details.status() == EventStatus.DEAD ? details.doneAt() : null,
        details.lastError(),
        details.lockedBy(),
        details.lockedAt());
  }
}
