package outbox.purge;

import java.time.Instant;
import outbox.internal.JsonString;
import outbox.model.EventDetails;
import outbox.model.OutboxEvent;
import outbox.util.Nullable;

/**
 * A row as one line of JSON: its columns by name, times in ISO 8601, and payload and headers as the
 * text that the column holds. A payload of bytes is in there as the column has it: in Base64.
 */
final class JsonLine {

  private final StringBuilder json = new StringBuilder("{");

  private JsonLine() {}

  static String of(EventDetails details) {
    OutboxEvent event = details.event();
    return new JsonLine()
        .with("event_id", event.eventId())
        .with("event_type", event.eventType())
        .with("aggregate_type", event.aggregateType())
        .with("aggregate_id", event.aggregateId())
        .with("tenant_id", event.tenantId())
        .with("payload", event.payloadJson())
        .with("headers", event.headersJson())
        .with("status", details.status().name())
        .with("attempts", event.attempts())
        .with("available_at", details.availableAt())
        .with("created_at", event.createdAt())
        .with("done_at", details.doneAt())
        .with("last_error", details.lastError())
        .with("locked_by", details.lockedBy())
        .with("locked_at", details.lockedAt())
        .end();
  }

  private JsonLine with(String name, @Nullable String value) {
    name(name);
    JsonString.append(json, value);
    return this;
  }

  private JsonLine with(String name, @Nullable Instant value) {
    return with(name, value == null ? null : value.toString());
  }

  private JsonLine with(String name, int value) {
    name(name);
    json.append(value);
    return this;
  }

  private void name(String name) {
    json.append(json.length() == 1 ? "\"" : ",\"").append(name).append("\":");
  }

  private String end() {
    return json.append("}\n").toString();
  }
}
