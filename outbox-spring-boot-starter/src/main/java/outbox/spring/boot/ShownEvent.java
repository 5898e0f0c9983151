package outbox.spring.boot;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;

/** An event as the endpoint shows it: without payload and headers. */
record ShownEvent(
    String table,
    String eventId,
    String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    String status,
    int attempts,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable String lastError) {

  static ShownEvent of(String table, EventDetails details) {
    OutboxEvent event = details.event();
    return new ShownEvent(
        table,
        event.eventId(),
        event.eventType(),
        event.aggregateType(),
        event.aggregateId(),
        details.status().name(),
        event.attempts(),
        event.createdAt(),
        details.doneAt(),
        details.lastError());
  }
}
