package outbox;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import outbox.internal.JsonSyntax;
import outbox.internal.Require;
import outbox.internal.ReservedHeaders;
import outbox.internal.Utf8;
import outbox.util.Nullable;

/**
 * An event as it is written, stored and delivered; immutable.
 *
 * <p>Only the event type and a payload are required. The payload is JSON text or bytes, at most
 * {@value #MAX_PAYLOAD_BYTES} bytes, and arrives exactly as it was given.
 *
 * <pre>{@code
 * EventEnvelope.builder("OrderPlaced")
 *     .aggregateType("Order")
 *     .aggregateId("order-42")
 *     .payloadJson("{\"total\":99}")
 *     .build();
 * }</pre>
 */
public final class EventEnvelope {

  /** The largest payload in bytes; text counts as UTF-8. */
  public static final int MAX_PAYLOAD_BYTES = 1_048_576;

  /** The most that names and values of all headers may have in bytes, as UTF-8. */
  public static final int MAX_HEADER_BYTES = 262_144;

  private static final Clock CLOCK = Clock.systemUTC();

  /** The last moment that every database can store. */
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final String eventId;
  private final String eventType;
  private final Instant occurredAt;
  private final @Nullable Instant availableAt;
  private final String aggregateType;
  private final @Nullable String aggregateId;
  private final @Nullable String tenantId;
  private final Map<String, @Nullable String> headers;
  private final @Nullable String text;
  private final byte @Nullable [] bytes;
  private final int payloadSize;
  private final boolean binary;

  private EventEnvelope(Builder builder, int payloadSize, boolean binary) {
    eventId = builder.eventId == null ? Ulid.next() : builder.eventId;
    eventType = builder.eventType;
    occurredAt = builder.occurredAt == null ? now() : builder.occurredAt;
    availableAt = builder.firstMoment();
    aggregateType = builder.aggregateType;
    aggregateId = builder.aggregateId;
    tenantId = builder.tenantId;
    headers =
        builder.headers.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(builder.headers));
    text = builder.text;
    bytes = builder.bytes;
    this.payloadSize = payloadSize;
    this.binary = binary;
  }

  public static Builder builder(EventType eventType) {
    return new Builder(Objects.requireNonNull(eventType, "eventType must not be null").name());
  }

  public static Builder builder(String eventType) {
    return new Builder(eventType);
  }

  public static EventEnvelope ofJson(EventType eventType, String payloadJson) {
    return builder(eventType).payloadJson(payloadJson).build();
  }

  public static EventEnvelope ofJson(String eventType, String payloadJson) {
    return builder(eventType).payloadJson(payloadJson).build();
  }

  public String eventId() {
    return eventId;
  }

  public String eventType() {
    return eventType;
  }

  public Instant occurredAt() {
    return occurredAt;
  }

  /** Before this moment the event is not delivered; null if it is delivered at once. */
  public @Nullable Instant availableAt() {
    return availableAt;
  }

  public String aggregateType() {
    return aggregateType;
  }

  public @Nullable String aggregateId() {
    return aggregateId;
  }

  public @Nullable String tenantId() {
    return tenantId;
  }

  /** The headers in the order given, unmodifiable; a value may be null. */
  public Map<String, @Nullable String> headers() {
    return headers;
  }

  /** The header's value, such as that of {@link EventHeaders#CONTENT_TYPE}; null without one. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /**
   * The same event with more headers; of the same name, its own stay.
   *
   * @throws IllegalArgumentException for headers that the builder refuses
   */
  public EventEnvelope withHeaders(Map<String, @Nullable String> added) {
    Builder copy =
        builder(eventType)
            .eventId(eventId)
            .occurredAt(occurredAt)
            .aggregateType(aggregateType)
            .aggregateId(aggregateId)
            .tenantId(tenantId)
            .headers(added);
    headers.forEach(copy::header);
    copy.availableAt = availableAt;
    copy.text = text;
    copy.bytes = bytes;
    EventHeaders.requireFew(copy.headers, eventType);
    return new EventEnvelope(copy, payloadSize, binary);
  }

  /**
   * The payload as text. A payload that was given as bytes is decoded as UTF-8, and is null when it
   * isn't UTF-8.
   */
  public @Nullable String payloadJson() {
    return bytes == null ? text : Utf8.decode(bytes);
  }

  /** The payload as bytes of the caller's own; text is encoded as UTF-8. */
  public byte[] payloadBytes() {
    return bytes == null
        ? Objects.requireNonNull(text).getBytes(StandardCharsets.UTF_8)
        : bytes.clone();
  }

  /** The payload's size in bytes; text counts as UTF-8. */
  public int payloadSize() {
    return payloadSize;
  }

  /** Whether the payload is no JSON; bytes that are JSON count as the text that they are. */
  public boolean isBinary() {
    return binary;
  }

  /** Names the event and leaves the payload out, so that it can be logged. */
  @Override
  public String toString() {
    return "EventEnvelope[eventId=%s, eventType=%s, aggregateType=%s, aggregateId=%s, tenantId=%s]"
        .formatted(eventId, eventType, aggregateType, aggregateId, tenantId);
  }

  /** Databases keep microseconds; a default that says more would come back changed. */
  private static Instant now() {
    return CLOCK.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** Builds an {@link EventEnvelope}; every value that a column could not hold is refused here. */
  public static final class Builder {

    private final String eventType;
    private String aggregateType = AggregateType.GLOBAL.name();
    private final Map<String, @Nullable String> headers = new LinkedHashMap<>();
    private @Nullable String eventId;
    private @Nullable Instant occurredAt;
    private @Nullable Instant availableAt;
    private @Nullable Duration deliverAfter;
    private @Nullable String aggregateId;
    private @Nullable String tenantId;
    private @Nullable String text;
    private byte @Nullable [] bytes;

    private Builder(String eventType) {
      this.eventType = Require.fits("eventType", Require.notEmpty("eventType", eventType), 128);
    }

    /** At most 36 characters; a monotonic ULID when it isn't set. */
    public Builder eventId(@Nullable String eventId) {
      this.eventId =
          eventId == null
              ? null
              : Require.fits("eventId", Require.notEmpty("eventId", eventId), 36);
      return this;
    }

    /** When the event happened, for its consumers: polling, order and retention don't use it. */
    public Builder occurredAt(@Nullable Instant occurredAt) {
      this.occurredAt = occurredAt;
      return this;
    }

    /**
     * Holds the event back until this moment; one that has passed means now. Such an event comes
     * from the database, never straight from the commit.
     */
    public Builder availableAt(Instant availableAt) {
      Objects.requireNonNull(availableAt, "availableAt must not be null");
      Require.check(!availableAt.isAfter(LATEST), "availableAt", "at most " + LATEST, availableAt);
      this.availableAt = availableAt;
      return this;
    }

    /** Like {@link #availableAt}, counted from {@link #build}; zero means at once. */
    public Builder deliverAfter(Duration delay) {
      this.deliverAfter = Require.notNegative("deliverAfter", delay);
      return this;
    }

    /** At most 64 characters; {@link AggregateType#GLOBAL} when it isn't set. */
    public Builder aggregateType(@Nullable String aggregateType) {
      this.aggregateType =
          aggregateType == null
              ? AggregateType.GLOBAL.name()
              : Require.fits("aggregateType", Require.notEmpty("aggregateType", aggregateType), 64);
      return this;
    }

    public Builder aggregateType(@Nullable AggregateType aggregateType) {
      return aggregateType(aggregateType == null ? null : aggregateType.name());
    }

    /** At most 128 characters. */
    public Builder aggregateId(@Nullable String aggregateId) {
      this.aggregateId = aggregateId == null ? null : Require.fits("aggregateId", aggregateId, 128);
      return this;
    }

    /** At most 64 characters. */
    public Builder tenantId(@Nullable String tenantId) {
      this.tenantId = tenantId == null ? null : Require.fits("tenantId", tenantId, 64);
      return this;
    }

    /**
     * Replaces all headers, at most {@value EventEnvelope#MAX_HEADER_BYTES} bytes of names and
     * values. A null name is refused, a null value is kept.
     */
    public Builder headers(@Nullable Map<String, @Nullable String> headers) {
      this.headers.clear();
      if (headers != null) {
        headers.forEach(this::header);
      }
      return this;
    }

    /** Adds one header, or replaces the one of this name. */
    public Builder header(String name, @Nullable String value) {
      Require.check(name != null, "header name", "not null", "null");
      if (ReservedHeaders.contains(name)) {
        throw Require.refusal("header name", "none of " + ReservedHeaders.ALL, name);
      }
      Require.wellFormed("header name", name);
      if (value != null && Utf8.unpairedSurrogate(value) >= 0) {
        Require.wellFormed("value of header " + name, value);
      }
      headers.put(name, value);
      return this;
    }

    /** Sets {@link EventHeaders#CONTENT_TYPE}. */
    public Builder contentType(String contentType) {
      return wellKnown(EventHeaders.CONTENT_TYPE, contentType);
    }

    /** Sets {@link EventHeaders#SCHEMA_ID} and {@link EventHeaders#SCHEMA_VERSION}. */
    public Builder schema(String id, String version) {
      return wellKnown(EventHeaders.SCHEMA_ID, id).wellKnown(EventHeaders.SCHEMA_VERSION, version);
    }

    /** Sets {@link EventHeaders#TOPIC}. */
    public Builder topic(String topic) {
      return wellKnown(EventHeaders.TOPIC, topic);
    }

    /** Sets {@link EventHeaders#ROUTING_KEY}. */
    public Builder routingKey(String routingKey) {
      return wellKnown(EventHeaders.ROUTING_KEY, routingKey);
    }

    /** Sets {@link EventHeaders#CORRELATION_ID}. */
    public Builder correlationId(String correlationId) {
      return wellKnown(EventHeaders.CORRELATION_ID, correlationId);
    }

    /** Sets {@link EventHeaders#CAUSATION_ID}. */
    public Builder causationId(String causationId) {
      return wellKnown(EventHeaders.CAUSATION_ID, causationId);
    }

    /**
     * Makes this event a consequence of that one: its id is the causation id, and its correlation
     * id, or its id if it has none, is the correlation id.
     */
    public Builder causedBy(EventEnvelope cause) {
      String correlationId = cause.header(EventHeaders.CORRELATION_ID);
      return causationId(cause.eventId())
          .correlationId(correlationId == null ? cause.eventId() : correlationId);
    }

    public Builder payloadJson(@Nullable String payloadJson) {
      this.text = payloadJson;
      return this;
    }

    public Builder payloadBytes(byte @Nullable [] payloadBytes) {
      this.bytes = payloadBytes == null ? null : payloadBytes.clone();
      return this;
    }

    public EventEnvelope build() {
      if ((text == null) == (bytes == null)) {
        throw new IllegalArgumentException(
            "exactly one of payloadJson and payloadBytes must be set, got: "
                + (text == null ? "neither" : "both")
                + " for event type "
                + eventType);
      }
      int size = text == null ? Objects.requireNonNull(bytes).length : size(text);
      if (size > MAX_PAYLOAD_BYTES) {
        throw new IllegalArgumentException(
            "payload must be at most %d bytes, got: %d for event type %s; store large content elsewhere and send a reference"
                .formatted(MAX_PAYLOAD_BYTES, size, eventType));
      }
      EventHeaders.requireFew(headers, eventType);
      return new EventEnvelope(this, size, bytes != null && !JsonSyntax.isJson(bytes));
    }

    /** Text that has a byte per character has no surrogates, paired or not. */
    private int size(String text) {
      int size = Utf8.length(text);
      if (size > text.length()) {
        Require.wellFormed("payloadJson of event type " + eventType, text);
      }
      return size;
    }

    private Builder wellKnown(String name, String value) {
      return header(name, Require.notEmpty(name, value));
    }

    private @Nullable Instant firstMoment() {
      if (availableAt != null && deliverAfter != null) {
        throw Require.refusal(
            "at most one of availableAt and deliverAfter",
            "set",
            "both for event type " + eventType);
      }
      if (deliverAfter == null || deliverAfter.isZero()) {
        return availableAt;
      }
      Instant now = now();
      Require.check(
          deliverAfter.compareTo(Duration.between(now, LATEST)) <= 0,
          "deliverAfter",
          "over by " + LATEST,
          deliverAfter);
      return now.plus(deliverAfter);
    }
  }
}
