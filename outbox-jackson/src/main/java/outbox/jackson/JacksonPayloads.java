package outbox.jackson;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.domain.PayloadWriter;

/**
 * Makes events of objects, and objects of events, with Jackson 2. What can't be written is refused
 * before anything is inserted; what can't be read is never tried again. Safe for all threads.
 *
 * <p>By default times are written as text and unknown properties are ignored, so that a reader
 * bears what a newer writer adds.
 *
 * <pre>{@code
 * var payloads = new JacksonPayloads();
 * outbox.writer().write(payloads.event("OrderPlaced", order).aggregateId(order.id()).build());
 * }</pre>
 */
public final class JacksonPayloads implements PayloadWriter {

  private static final String JSON = "application/json";

  private final ObjectMapper mapper;

  /** With the modules that Jackson finds, such as the one for {@code java.time}. */
  public JacksonPayloads() {
    this(
        JsonMapper.builder()
            .findAndAddModules()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build());
  }

  /** With a mapper of the application's own. */
  public JacksonPayloads(ObjectMapper mapper) {
    this.mapper = Objects.requireNonNull(mapper, "mapper must not be null");
  }

  /** An event to complete and build, whose payload is the object and whose content type is JSON. */
  public EventEnvelope.Builder event(String eventType, Object payload) {
    return EventEnvelope.builder(eventType)
        .payloadJson(write(payload))
        .header(EventHeaders.CONTENT_TYPE, JSON);
  }

  /** The object as JSON. */
  @Override
  public String write(Object payload) {
    Objects.requireNonNull(payload, "payload must not be null");
    try {
      return mapper.writeValueAsString(payload);
    } catch (JsonProcessingException e) {
      // Neither its message nor its path: both may quote the payload.
      throw new OutboxException(
          "an object of %s can't be written as JSON: %s; nothing was inserted"
              .formatted(payload.getClass().getName(), e.getClass().getName()),
          null);
    }
  }

  /**
   * The payload as an object; null if the payload says so.
   *
   * @throws NonRetryableException if it is no JSON that such an object can be made of
   */
  public <T> @Nullable T read(EventEnvelope event, Class<T> type) {
    String json = event.payloadJson();
    if (json == null) {
      throw unreadable(event, type, "it is not JSON but bytes");
    }
    try {
      return mapper.readValue(json, type);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw unreadable(
          event,
          type,
          e.getClass().getName()
              + (at == null
                  ? ""
                  : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr())));
    }
  }

  private static NonRetryableException unreadable(
      EventEnvelope event, Class<?> type, String reason) {
    return new NonRetryableException(
        "payload of event %s (%s) can't be read as %s: %s; correct the type or the listener, then replay the event"
            .formatted(event.eventId(), event.eventType(), type.getName(), reason));
  }
}
