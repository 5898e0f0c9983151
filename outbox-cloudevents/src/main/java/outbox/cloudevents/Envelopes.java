package outbox.cloudevents;

import io.cloudevents.CloudEvent;
import io.cloudevents.CloudEventData;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.internal.ReservedHeaders;

/** The way back: which attribute of a CloudEvent is which value of an event. */
final class Envelopes {

  private static final Set<String> FIELDS = Set.of(Attributes.AGGREGATE_TYPE, Attributes.TENANT_ID);

  private Envelopes() {}

  static EventEnvelope of(CloudEvent event, Map<String, String> headers) {
    EventEnvelope.Builder envelope =
        EventEnvelope.builder(event.getType())
            .eventId(event.getId())
            .aggregateType(text(event.getExtension(Attributes.AGGREGATE_TYPE)))
            .aggregateId(event.getSubject())
            .tenantId(text(event.getExtension(Attributes.TENANT_ID)));
    headers.forEach((name, value) -> put(envelope, name, value));
    event.getExtensionNames().forEach(name -> addExtension(envelope, event, name));
    put(envelope, CloudEvents.SOURCE_HEADER, event.getSource().toString());
    put(envelope, EventHeaders.CONTENT_TYPE, event.getDataContentType());
    put(envelope, EventHeaders.SCHEMA_ID, text(event.getDataSchema()));
    if (event.getTime() != null) {
      envelope.occurredAt(event.getTime().toInstant());
    }
    addPayload(envelope, event);
    return envelope.build();
  }

  /** A partition key that is the subject says nothing that the aggregate's id doesn't. */
  private static void addExtension(EventEnvelope.Builder envelope, CloudEvent event, String name) {
    String value = text(event.getExtension(name));
    boolean isKnown =
        FIELDS.contains(name)
            || (name.equals(Attributes.PARTITION_KEY)
                && value != null
                && value.equals(event.getSubject()));
    if (!isKnown) {
      put(envelope, Attributes.HEADERS.getOrDefault(name, name), value);
    }
  }

  private static void addPayload(EventEnvelope.Builder envelope, CloudEvent event) {
    CloudEventData data = event.getData();
    byte[] bytes = data == null ? new byte[0] : data.toBytes();
    String text =
        bytes.length > 0 && MediaType.isJson(event.getDataContentType()) ? decoded(bytes) : null;
    if (text == null) {
      envelope.payloadBytes(bytes);
    } else {
      envelope.payloadJson(text);
    }
  }

  private static void put(EventEnvelope.Builder envelope, String name, @Nullable String value) {
    if (value != null && !ReservedHeaders.contains(name)) {
      envelope.header(name, value);
    }
  }

  private static @Nullable String decoded(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      return null;
    }
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
