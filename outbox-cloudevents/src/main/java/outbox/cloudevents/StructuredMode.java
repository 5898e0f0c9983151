package outbox.cloudevents;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.format.EventFormat;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.rw.CloudEventRWException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.destination.Message;
import outbox.internal.JsonSyntax;

/** Attributes and payload in one JSON document. */
final class StructuredMode {

  private static final EventFormat FORMAT = new JsonFormat().withForceJsonDataToBase64();
  private static final byte[] DATA = ",\"data\":".getBytes(StandardCharsets.UTF_8);

  /** Keeps numbers as they are written; the SDK's own makes doubles of them. */
  private static final JsonMapper READER =
      JsonMapper.builder()
          .addModule(JsonFormat.getCloudEventJacksonModule())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private StructuredMode() {}

  static Message write(EventEnvelope event, CloudEventBuilder attributes, Binding binding) {
    byte[] payload = event.payloadBytes();
    CloudEvent bare = attributes.build();
    byte[] body =
        isJson(event, bare.getDataContentType())
            ? embed(FORMAT.serialize(bare), payload)
            : FORMAT.serialize(attributes.withData(payload).build());
    return new Message(body, JsonFormat.CONTENT_TYPE, binding.headersBeside(event));
  }

  static CloudEvent read(byte[] body) {
    try {
      return READER.readValue(body, CloudEvent.class);
    } catch (IOException | CloudEventRWException | IllegalStateException unreadable) {
      // Its message may quote the document, which has the payload in it.
      throw new IllegalArgumentException(
          "body must be a CloudEvent in JSON, got: %d bytes that are none (%s)"
              .formatted(body.length, unreadable.getClass().getSimpleName()));
    }
  }

  static boolean isStructured(@Nullable String contentType) {
    return contentType != null && MediaType.essence(contentType).equals(JsonFormat.CONTENT_TYPE);
  }

  private static boolean isJson(EventEnvelope event, @Nullable String contentType) {
    String text = MediaType.isJson(contentType) ? event.payloadJson() : null;
    return text != null && JsonSyntax.isJson(text);
  }

  /**
   * The SDK embeds a payload only if it knows its media type for JSON, and {@code
   * application/vnd.acme.order+json} isn't among those that it knows.
   */
  private static byte[] embed(byte[] document, byte[] payload) {
    int end = document.length - 1;
    byte[] body = Arrays.copyOf(document, end + DATA.length + payload.length + 1);
    System.arraycopy(DATA, 0, body, end, DATA.length);
    System.arraycopy(payload, 0, body, end + DATA.length, payload.length);
    body[body.length - 1] = '}';
    return body;
  }
}
