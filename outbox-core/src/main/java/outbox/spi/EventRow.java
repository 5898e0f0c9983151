package outbox.spi;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import outbox.EventEnvelope;
import outbox.internal.DatabaseClock;
import outbox.internal.ReservedHeaders;
import outbox.model.OutboxEvent;
import outbox.util.JsonCodec;
import outbox.util.Nullable;

/**
 * The columns of an event that differ from the envelope's own values, made so that {@link #decode}
 * gives back an envelope that says the same.
 *
 * <p>Text and JSON bytes are stored as they are; other bytes become a JSON string in Base64, named
 * by a reserved header. JSON bytes come back as text with those bytes. {@code createdAt} is when
 * the row is written. It doubles as the time the event occurred where the two are practically the
 * same; otherwise a reserved header keeps that time, so that nobody's clock or back-dating touches
 * polling. {@code availableAt} is when the event is due: never before its own time, which another
 * reserved header keeps, and at once without one.
 */
public record EventRow(
    String payload, @Nullable String headers, Instant createdAt, Instant availableAt) {

  private static final String BASE64 = "base64";
  private static final Duration WRITTEN_AT_ONCE = Duration.ofSeconds(1);

  /** The row of an event that is written now. */
  public static EventRow encode(EventEnvelope event, JsonCodec codec, Clock clock) {
    Instant now = clock.instant();
    return encode(event, codec, now, DatabaseClock.latest(clock));
  }

  public static EventRow encode(EventEnvelope event, JsonCodec codec, Instant now) {
    return encode(event, codec, now, now);
  }

  /** It is {@code now} at the earliest and {@code latest} at the latest, by the store's clock. */
  private static EventRow encode(
      EventEnvelope event, JsonCodec codec, Instant now, Instant latest) {
    Map<String, @Nullable String> headers = new LinkedHashMap<>(event.headers());
    Instant createdAt = isAtOnce(event.occurredAt(), now, latest) ? event.occurredAt() : now;
    createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
    if (!createdAt.equals(event.occurredAt())) {
      headers.put(ReservedHeaders.OCCURRED_AT, event.occurredAt().toString());
    }
    Instant availableAt = event.availableAt();
    if (availableAt != null) {
      headers.put(ReservedHeaders.AVAILABLE_AT, availableAt.toString());
    }
    String payload = event.payloadJson();
    if (payload == null || event.isBinary()) {
      headers.put(ReservedHeaders.ENCODING, BASE64);
      payload = '"' + Base64.getEncoder().encodeToString(event.payloadBytes()) + '"';
    }
    return new EventRow(payload, codec.toJson(headers), createdAt, due(availableAt, createdAt));
  }

  /**
   * The envelope of a stored event.
   *
   * @throws IllegalArgumentException if the row can't be an event, now or later
   */
  public static EventEnvelope decode(OutboxEvent row, JsonCodec codec) {
    return decode(row, codec, Map.of());
  }

  /** Likewise, with headers that tell of the delivery; they replace stored ones of their names. */
  public static EventEnvelope decode(OutboxEvent row, JsonCodec codec, Map<String, String> added) {
    Map<String, @Nullable String> headers =
        new LinkedHashMap<>(codec.parseObject(row.headersJson()));
    headers.putAll(added);
    String occurredAt = headers.remove(ReservedHeaders.OCCURRED_AT);
    String availableAt = headers.remove(ReservedHeaders.AVAILABLE_AT);
    String encoding = headers.remove(ReservedHeaders.ENCODING);
    EventEnvelope.Builder envelope =
        EventEnvelope.builder(row.eventType())
            .eventId(row.eventId())
            .occurredAt(
                occurredAt == null
                    ? row.createdAt()
                    : instant(ReservedHeaders.OCCURRED_AT, occurredAt))
            .aggregateType(row.aggregateType())
            .aggregateId(row.aggregateId())
            .tenantId(row.tenantId())
            .headers(headers);
    if (availableAt != null) {
      envelope.availableAt(instant(ReservedHeaders.AVAILABLE_AT, availableAt));
    }
    return encoding == null
        ? envelope.payloadJson(row.payloadJson()).build()
        : envelope.payloadBytes(bytes(encoding, row.payloadJson())).build();
  }

  /** Leaves payload and headers out, so that it can be logged. */
  @Override
  public String toString() {
    return "EventRow[createdAt=%s, availableAt=%s]".formatted(createdAt, availableAt);
  }

  private static boolean isAtOnce(Instant occurredAt, Instant now, Instant latest) {
    return occurredAt.isAfter(now.minus(WRITTEN_AT_ONCE)) && !occurredAt.isAfter(latest);
  }

  /** Not a nanosecond early, though databases keep microseconds. */
  private static Instant due(@Nullable Instant availableAt, Instant createdAt) {
    if (availableAt == null || !availableAt.isAfter(createdAt)) {
      return createdAt;
    }
    Instant cut = availableAt.truncatedTo(ChronoUnit.MICROS);
    return cut.equals(availableAt) ? cut : cut.plus(1, ChronoUnit.MICROS);
  }

  private static Instant instant(String header, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "header %s must be an ISO-8601 instant, got: %s".formatted(header, text), e);
    }
  }

  private static byte[] bytes(String encoding, String payload) {
    if (!encoding.equals(BASE64) || payload.length() < 2) {
      throw new IllegalArgumentException(
          "header %s must be %s with a quoted payload, got: %s"
              .formatted(ReservedHeaders.ENCODING, BASE64, encoding));
    }
    return Base64.getDecoder().decode(payload.substring(1, payload.length() - 1));
  }
}
