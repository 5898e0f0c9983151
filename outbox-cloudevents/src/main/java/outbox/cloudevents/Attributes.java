package outbox.cloudevents;

import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import outbox.AggregateType;
import outbox.EventEnvelope;
import outbox.EventHeaders;

/** Which value of an event is which attribute of its CloudEvent. */
final class Attributes {

  static final String AGGREGATE_TYPE = "aggregatetype";
  static final String TENANT_ID = "tenantid";
  static final String PARTITION_KEY = "partitionkey";

  /** Headers of an event by the extensions that they are in a CloudEvent. */
  static final SortedMap<String, String> HEADERS =
      new TreeMap<>(
          Map.of(
              PARTITION_KEY,
              EventHeaders.ROUTING_KEY,
              "correlationid",
              EventHeaders.CORRELATION_ID,
              "causationid",
              EventHeaders.CAUSATION_ID,
              EventHeaders.TRACEPARENT,
              EventHeaders.TRACEPARENT,
              EventHeaders.TRACESTATE,
              EventHeaders.TRACESTATE));

  private static final String JSON = "application/json";
  private static final String BINARY = "application/octet-stream";

  /** What RFC 3339 has a form for. */
  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");

  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private final Function<EventEnvelope, URI> source;

  Attributes(Function<EventEnvelope, URI> source) {
    this.source = source;
  }

  /** Everything but the data. */
  CloudEventBuilder of(EventEnvelope event) {
    CloudEventBuilder attributes =
        CloudEventBuilder.v1()
            .withId(event.eventId())
            .withType(event.eventType())
            .withSource(requireSource(source.apply(event)))
            .withDataContentType(contentType(event));
    URI schema = schema(event);
    if (schema != null) {
      attributes.withDataSchema(schema);
    }
    if (isTold(event.aggregateId())) {
      attributes.withSubject(event.aggregateId());
    }
    if (!event.occurredAt().isBefore(EARLIEST) && !event.occurredAt().isAfter(LATEST)) {
      attributes.withTime(event.occurredAt().atOffset(ZoneOffset.UTC));
    }
    addExtensions(event, attributes);
    return attributes;
  }

  /** Whether the header is an attribute now and needn't travel beside the event. */
  static boolean replaces(EventEnvelope event, String header) {
    return switch (header) {
      case EventHeaders.CONTENT_TYPE -> true;
      case EventHeaders.SCHEMA_ID -> schema(event) != null;
      case EventHeaders.ROUTING_KEY, EventHeaders.CORRELATION_ID, EventHeaders.CAUSATION_ID ->
          isTold(event.header(header));
      default -> false;
    };
  }

  static URI requireSource(@Nullable URI source) {
    if (source == null || source.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "source must be a URI that is not empty, got: " + (source == null ? "null" : "\"\""));
    }
    return source;
  }

  private static void addExtensions(EventEnvelope event, CloudEventBuilder attributes) {
    if (!event.aggregateType().equals(AggregateType.GLOBAL.name())) {
      attributes.withExtension(AGGREGATE_TYPE, event.aggregateType());
    }
    add(attributes, TENANT_ID, event.tenantId());
    add(attributes, PARTITION_KEY, event.aggregateId());
    HEADERS.forEach((extension, header) -> add(attributes, extension, event.header(header)));
  }

  private static void add(CloudEventBuilder attributes, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      attributes.withExtension(name, value);
    }
  }

  private static String contentType(EventEnvelope event) {
    String told = event.header(EventHeaders.CONTENT_TYPE);
    if (told != null && !told.isEmpty()) {
      return told;
    }
    return event.isBinary() ? BINARY : JSON;
  }

  private static @Nullable URI schema(EventEnvelope event) {
    String id = event.header(EventHeaders.SCHEMA_ID);
    if (id == null) {
      return null;
    }
    try {
      URI uri = new URI(id);
      return uri.isAbsolute() ? uri : null;
    } catch (URISyntaxException notOne) {
      return null;
    }
  }

  private static boolean isTold(@Nullable String value) {
    return value != null && !value.isEmpty();
  }
}
