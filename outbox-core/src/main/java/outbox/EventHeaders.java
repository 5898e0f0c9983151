package outbox;

import java.util.Map;
import java.util.Set;
import outbox.internal.Utf8;
import outbox.util.Nullable;

/**
 * Header names that mean the same to every writer, destination and consumer. None is required, and
 * the outbox itself acts on none of them.
 *
 * <p>They are lower-case, as HTTP/2 and Kafka clients commonly have them; names are compared as
 * they are written.
 */
public final class EventHeaders {

  /**
   * The media type of the payload, such as {@code application/json} or {@code application/avro}.
   */
  public static final String CONTENT_TYPE = "content-type";

  /** Names the schema of the payload: a subject, a URI, or a registry's number. */
  public static final String SCHEMA_ID = "schema-id";

  /** The version of that schema. */
  public static final String SCHEMA_VERSION = "schema-version";

  /** What a destination picks partition or queue by, where the aggregate's id isn't it. */
  public static final String ROUTING_KEY = "routing-key";

  /** Where a destination sends the event, where its type doesn't say so. */
  public static final String TOPIC = "topic";

  /** The same for all events that go back to one request or one first event. */
  public static final String CORRELATION_ID = "correlation-id";

  /** The id of the event or command that this event is a direct consequence of. */
  public static final String CAUSATION_ID = "causation-id";

  /**
   * The trace that the event belongs to, as the W3C's Trace Context has it; see docs/tracing.md.
   */
  public static final String TRACEPARENT = "traceparent";

  /** What a tracer adds to {@link #TRACEPARENT} for itself. */
  public static final String TRACESTATE = "tracestate";

  /** What travels along a trace, as the W3C's Baggage has it. */
  public static final String BAGGAGE = "baggage";

  /**
   * Set by the outbox on events that are delivered in order: a number that grows from event to
   * event of an aggregate, with gaps. What comes with a lower number than before comes again.
   */
  public static final String SEQUENCE = "outbox-sequence";

  /**
   * Set with {@link #SEQUENCE}: grows whenever another node, or another start of the same, has
   * become responsible for the event's partition. What comes with a lower number than before comes
   * from a node that has been replaced.
   */
  public static final String EPOCH = "outbox-epoch";

  /** What the outbox sets when it delivers. */
  static final Set<String> ADDED = Set.of(SEQUENCE, EPOCH);

  private EventHeaders() {}

  /** Without those that are added by the delivery: what was written can be delivered. */
  static void requireFew(Map<String, @Nullable String> headers, String eventType) {
    long size = 0;
    for (Map.Entry<String, @Nullable String> header : headers.entrySet()) {
      String value = header.getValue();
      boolean isAdded = ADDED.contains(header.getKey());
      size += isAdded ? 0 : Utf8.length(header.getKey());
      size += isAdded || value == null ? 0 : Utf8.length(value);
    }
    if (size > EventEnvelope.MAX_HEADER_BYTES) {
      throw new IllegalArgumentException(
          "headers must be at most %d bytes in all, got: %d in %d headers for event type %s; put large content into the payload"
              .formatted(EventEnvelope.MAX_HEADER_BYTES, size, headers.size(), eventType));
    }
  }
}
