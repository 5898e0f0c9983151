package outbox.destination;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;

/** The payload as it is, and everything else beside it. */
final class RawFormat implements MessageFormat {

  static final RawFormat INSTANCE = new RawFormat();

  private static final String JSON = "application/json";
  private static final String BINARY = "application/octet-stream";

  private RawFormat() {}

  @Override
  public Message format(EventEnvelope event, Protocol protocol) {
    Map<String, String> headers = new LinkedHashMap<>();
    event
        .headers()
        .forEach(
            (name, value) -> {
              if (!MessageHeaders.contains(name)) {
                put(headers, name, value);
              }
            });
    headers.remove(EventHeaders.CONTENT_TYPE);
    headers.put(MessageHeaders.EVENT_ID, event.eventId());
    headers.put(MessageHeaders.EVENT_TYPE, event.eventType());
    headers.put(MessageHeaders.AGGREGATE_TYPE, event.aggregateType());
    headers.put(MessageHeaders.OCCURRED_AT, event.occurredAt().toString());
    put(headers, MessageHeaders.AGGREGATE_ID, event.aggregateId());
    put(headers, MessageHeaders.TENANT_ID, event.tenantId());
    return new Message(event.payloadBytes(), contentType(event), headers);
  }

  @Override
  public String toString() {
    return "raw";
  }

  private static String contentType(EventEnvelope event) {
    String told = event.header(EventHeaders.CONTENT_TYPE);
    if (told != null) {
      return told;
    }
    return event.isBinary() ? BINARY : JSON;
  }

  private static void put(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }
}
