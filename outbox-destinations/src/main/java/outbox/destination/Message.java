package outbox.destination;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is sent of an event: a body and what stands beside it. The body is not copied; nobody may
 * change it.
 *
 * @param contentType the media type of the body; null if nobody said
 * @param headers under the names that the protocol has for them
 */
public record Message(byte[] body, @Nullable String contentType, Map<String, String> headers) {

  public Message {
    Objects.requireNonNull(body, "body must not be null");
    headers = Map.copyOf(headers);
  }
}
