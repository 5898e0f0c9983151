package outbox.cloudevents;

import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.CloudEventUtils;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.data.BytesCloudEventData;
import io.cloudevents.core.v1.CloudEventV1;
import io.cloudevents.rw.CloudEventContextWriter;
import io.cloudevents.rw.CloudEventRWException;
import io.cloudevents.rw.CloudEventWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.destination.Message;

/** The payload is the body, the attributes stand beside it. */
final class BinaryMode {

  private BinaryMode() {}

  static Message write(EventEnvelope event, CloudEvent attributes, Binding binding) {
    Map<String, String> headers = binding.headersBeside(event);
    headers.put(binding.header(CloudEventV1.SPECVERSION), attributes.getSpecVersion().toString());
    CloudEventUtils.toContextReader(attributes).readContext(new Headers(binding, headers));
    return new Message(event.payloadBytes(), attributes.getDataContentType(), headers);
  }

  static CloudEvent read(Message message, Binding binding) {
    try {
      CloudEventWriter<CloudEvent> event =
          CloudEventBuilder.fromSpecVersion(version(message, binding));
      message
          .headers()
          .forEach((name, value) -> take(event, binding.attribute(name), binding.read(value)));
      if (message.contentType() != null) {
        event.withContextAttribute(CloudEventV1.DATACONTENTTYPE, message.contentType());
      }
      return event.end(BytesCloudEventData.wrap(message.body()));
    } catch (CloudEventRWException | IllegalStateException unreadable) {
      throw new IllegalArgumentException(
          "message must be a CloudEvent, got: " + unreadable.getMessage(), unreadable);
    }
  }

  private static void take(
      CloudEventContextWriter event, @Nullable String attribute, String value) {
    if (attribute != null && !attribute.equals(CloudEventV1.SPECVERSION)) {
      event.withContextAttribute(attribute, value);
    }
  }

  private static SpecVersion version(Message message, Binding binding) {
    for (Map.Entry<String, String> header : message.headers().entrySet()) {
      if (CloudEventV1.SPECVERSION.equals(binding.attribute(header.getKey()))) {
        return SpecVersion.parse(header.getValue());
      }
    }
    throw new IllegalArgumentException(
        "message must be a CloudEvent, got: content type %s and no header %s"
            .formatted(message.contentType(), binding.header(CloudEventV1.SPECVERSION)));
  }

  /** The message has a place of its own for the content type. */
  private record Headers(Binding binding, Map<String, String> headers)
      implements CloudEventContextWriter {

    @Override
    public CloudEventContextWriter withContextAttribute(String name, String value) {
      if (!name.equals(CloudEventV1.DATACONTENTTYPE)) {
        headers.put(binding.header(name), binding.written(value));
      }
      return this;
    }
  }
}
