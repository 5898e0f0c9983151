package outbox.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanBuilder;
import outbox.EventEnvelope;
import outbox.EventHeaders;

/** What spans say of events, by the names of OpenTelemetry's conventions for messaging. */
final class Attributes {

  static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  private Attributes() {}

  static SpanBuilder of(SpanBuilder span, String operation, String eventType) {
    return span.setAttribute("messaging.system", "outbox")
        .setAttribute("messaging.operation.name", operation)
        .setAttribute("messaging.operation.type", operation)
        .setAttribute("messaging.destination.name", eventType);
  }

  static SpanBuilder ofOne(SpanBuilder span, String operation, EventEnvelope event) {
    of(span, operation, event.eventType()).setAttribute("messaging.message.id", event.eventId());
    String conversation = event.header(EventHeaders.CORRELATION_ID);
    return conversation == null
        ? span
        : span.setAttribute("messaging.message.conversation_id", conversation);
  }

  static SpanBuilder ofBatch(SpanBuilder span, String operation, String eventType, int size) {
    return of(span, operation, eventType).setAttribute("messaging.batch.message_count", size);
  }
}
