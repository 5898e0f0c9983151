package outbox.cloudevents;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.message.MessageReader;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import outbox.destination.Message;

/** The SDK's own readers: what they make of a message. */
final class Readers {

  private Readers() {}

  static CloudEvent kafka(Message message) {
    Headers headers = new RecordHeaders();
    message.headers().forEach((name, value) -> headers.add(name, bytes(value)));
    headers.add("content-type", bytes(message.contentType()));
    MessageReader reader = KafkaMessageFactory.createReader(headers, message.body());
    return reader.toEvent();
  }

  /** The SDK leaves it to its user to decode what the binding has encoded. */
  static CloudEvent http(Message message) {
    Map<String, String> headers = new HashMap<>();
    message.headers().forEach((name, value) -> headers.put(name, decoded(name, value)));
    headers.put("Content-Type", message.contentType());
    return HttpMessageFactory.createReader(headers, message.body()).toEvent();
  }

  private static String decoded(String name, String value) {
    return name.startsWith("ce-")
        ? URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8)
        : value;
  }

  private static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
