package outbox.destination.testing;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.destination.MessageHeaders;

/**
 * A message as its receiver found it.
 *
 * @param key what the broker keeps together: Kafka's key, and where a protocol has no such thing
 *     the header {@link MessageHeaders#AGGREGATE_ID}
 * @param contentType from the place that the protocol has for it
 * @param headers with their names in lower case
 */
@SuppressWarnings("ArrayRecordComponent") // compared by its body, never as a whole
public record Received(
    @Nullable String key, byte[] body, @Nullable String contentType, Map<String, String> headers) {

  public Received {
    headers = Map.copyOf(headers);
  }

  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** From {@link MessageHeaders#EVENT_ID}. */
  public @Nullable String eventId() {
    return header(MessageHeaders.EVENT_ID);
  }
}
