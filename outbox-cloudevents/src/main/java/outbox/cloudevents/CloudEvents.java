package outbox.cloudevents;

import io.cloudevents.CloudEvent;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import outbox.EventEnvelope;
import outbox.destination.Message;
import outbox.destination.MessageFormat;
import outbox.destination.Protocol;

/**
 * Sends events as CloudEvents 1.0, so that any CloudEvents reader understands them; the same bytes
 * at every try. Safe for all threads.
 *
 * <pre>{@code
 * MessageFormat format = CloudEvents.binary(URI.create("https://shop.example/orders"));
 * }</pre>
 *
 * <p>The event's id, type and time are those of the CloudEvent, and its aggregate id is the
 * subject. The header {@code content-type} is its datacontenttype, {@code application/json} if
 * there is none and {@code application/octet-stream} for bytes; {@code schema-id}, if it is an
 * absolute URI, its dataschema. Extensions are aggregatetype, tenantid, partitionkey,
 * correlationid, causationid, traceparent and tracestate. All other headers stand beside the event
 * under their own names, and so do traceparent and tracestate once more, where tracers look for
 * them.
 */
public final class CloudEvents implements MessageFormat {

  /** The header that {@link #read} and {@link #envelope} keep the CloudEvent's source in. */
  public static final String SOURCE_HEADER = "cloudevents-source";

  private final Attributes attributes;
  private final Mode mode;

  private CloudEvents(Function<EventEnvelope, URI> source, Mode mode) {
    attributes = new Attributes(Objects.requireNonNull(source, "source must not be null"));
    this.mode = mode;
  }

  /** The payload is the body, and the attributes are headers of the protocol. */
  public static CloudEvents binary(URI source) {
    URI checked = Attributes.requireSource(source);
    return binary(event -> checked);
  }

  /** Like {@link #binary(URI)}, with a source for each event; it must be the same at every try. */
  public static CloudEvents binary(Function<EventEnvelope, URI> source) {
    return new CloudEvents(source, Mode.BINARY);
  }

  /**
   * The body is a JSON document with attributes and payload: JSON stands in it as it was written,
   * everything else in base64.
   */
  public static CloudEvents structured(URI source) {
    URI checked = Attributes.requireSource(source);
    return structured(event -> checked);
  }

  /** Like {@link #structured(URI)}, with a source for each event; the same at every try. */
  public static CloudEvents structured(Function<EventEnvelope, URI> source) {
    return new CloudEvents(source, Mode.STRUCTURED);
  }

  @Override
  public Message format(EventEnvelope event, Protocol protocol) {
    Binding binding = Binding.of(protocol);
    return switch (mode) {
      case BINARY -> BinaryMode.write(event, attributes.of(event).build(), binding);
      case STRUCTURED -> StructuredMode.write(event, attributes.of(event), binding);
    };
  }

  /** The event for the CloudEvents SDK, with its payload as data. */
  public CloudEvent cloudEvent(EventEnvelope event) {
    return attributes.of(event).withData(event.payloadBytes()).build();
  }

  /**
   * Reads what this format, or another CloudEvents writer, has sent in either mode. Headers that
   * are no attributes are headers of the event.
   *
   * @throws IllegalArgumentException for what is no CloudEvent, or doesn't fit into an envelope: an
   *     id of more than 36 characters, for instance
   */
  public static EventEnvelope read(Message message, Protocol protocol) {
    Binding binding = Binding.of(protocol);
    CloudEvent event =
        StructuredMode.isStructured(message.contentType())
            ? StructuredMode.read(message.body())
            : BinaryMode.read(message, binding);
    return Envelopes.of(event, binding.plainHeaders(message.headers()));
  }

  /**
   * The envelope of a CloudEvent that was read by other means. Extensions that have no place in an
   * envelope are headers.
   *
   * @throws IllegalArgumentException for what doesn't fit into an envelope
   */
  public static EventEnvelope envelope(CloudEvent event) {
    return Envelopes.of(event, Map.of());
  }

  @Override
  public String toString() {
    return "CloudEvents, " + mode;
  }

  private enum Mode {
    BINARY,
    STRUCTURED
  }
}
