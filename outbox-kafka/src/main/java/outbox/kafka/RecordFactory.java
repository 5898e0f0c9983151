package outbox.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.NonRetryableException;
import outbox.destination.Message;
import outbox.destination.MessageFormat;
import outbox.destination.Protocol;

/** Makes the record of an event. */
final class RecordFactory {

  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private final Function<EventEnvelope, @Nullable String> topic;
  private final MessageFormat format;

  RecordFactory(Function<EventEnvelope, @Nullable String> topic, MessageFormat format) {
    this.topic = topic;
    this.format = format;
  }

  /** Without a rule: what the event says, else its type. */
  static String topicOf(EventEnvelope event) {
    String told = event.header(EventHeaders.TOPIC);
    return told == null ? event.eventType() : told;
  }

  ProducerRecord<byte[], byte[]> record(EventEnvelope event) {
    Message message = format.format(event, Protocol.KAFKA);
    String key = key(event);
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            requireName(event, topic.apply(event)),
            key == null ? null : key.getBytes(UTF_8),
            message.body());
    message.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
    if (message.contentType() != null) {
      record.headers().remove(EventHeaders.CONTENT_TYPE);
      record.headers().add(EventHeaders.CONTENT_TYPE, message.contentType().getBytes(UTF_8));
    }
    return record;
  }

  private static @Nullable String key(EventEnvelope event) {
    String told = event.header(EventHeaders.ROUTING_KEY);
    return told == null ? event.aggregateId() : told;
  }

  private static String requireName(EventEnvelope event, @Nullable String topic) {
    if (topic == null) {
      throw new NonRetryableException(
          "the rule for topics has none for event %s of type %s; correct it, then replay the event"
              .formatted(event.eventId(), event.eventType()));
    }
    if (!TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
      throw new NonRetryableException(
          "topic of event %s must be 1 to 249 of a-z, A-Z, 0-9, dot, underscore and hyphen, got: %s"
              .formatted(event.eventId(), topic));
    }
    return topic;
  }
}
