package outbox.model;

import java.time.Instant;
import outbox.util.Nullable;

/** A stored event as it is polled or claimed; {@code attempts} counts the tries already made. */
public record OutboxEvent(
    String eventId,
    String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String tenantId,
    String payloadJson,
    @Nullable String headersJson,
    int attempts,
    Instant createdAt) {

  /** Names the event and leaves payload and headers out, so that it can be logged. */
  @Override
  public String toString() {
    return "OutboxEvent[eventId=%s, eventType=%s, aggregateType=%s, aggregateId=%s, attempts=%d]"
        .formatted(eventId, eventType, aggregateType, aggregateId, attempts);
  }
}
