package outbox.destination;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is sent of an event: a body and what stands beside it. The body is not copied; nobody may
 * change it.
 *
 * @param contentType the media type of the body, for the place that the protocol has for it; it is
 *     not among the headers. Null if nobody said
 * @param headers under the names that the protocol has for them
 */
@SuppressWarnings("ArrayRecordComponent") // messages are sent, not compared
public record Message(byte[] body, @Nullable String contentType, Map<String, String> headers) {

  public Message {
    Objects.requireNonNull(body, "body must not be null");
    headers = Map.copyOf(headers);
  }

  /** Leaves the body and the headers' values out, so that it can be logged. */
  @Override
  public String toString() {
    return "Message[%d bytes, contentType=%s, headers=%s]"
        .formatted(body.length, contentType, headers.keySet());
  }
}
