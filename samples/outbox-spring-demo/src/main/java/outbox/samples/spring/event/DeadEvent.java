package outbox.samples.spring.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/** One line of the list of dead events; {@code GET /events/{eventId}} says why it died. */
record DeadEvent(
    String eventId,
    String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    int attempts,
    Instant createdAt) {

  static DeadEvent of(OutboxEvent event) {
    return new DeadEvent(
        event.eventId(),
        event.eventType(),
        event.aggregateType(),
        event.aggregateId(),
        event.attempts(),
        event.createdAt());
  }
}
