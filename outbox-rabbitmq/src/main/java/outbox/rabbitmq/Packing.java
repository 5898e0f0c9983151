package outbox.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.destination.Message;

/** Which value of an event is which property of its message. */
final class Packing {

  private static final int PERSISTENT = 2;

  /** What the protocol has room for in a property; headers may be longer. */
  private static final int LONGEST = 255;

  private Packing() {}

  /** What is too long for a property stands in the headers only. */
  static BasicProperties properties(EventEnvelope event, Message message) {
    return new BasicProperties.Builder()
        .messageId(event.eventId())
        .type(fitting(event.eventType()))
        .timestamp(Date.from(event.occurredAt()))
        .correlationId(fitting(event.header(EventHeaders.CORRELATION_ID)))
        .contentType(fitting(message.contentType()))
        .deliveryMode(PERSISTENT)
        .headers(new HashMap<>(message.headers()))
        .build();
  }

  private static @Nullable String fitting(@Nullable String value) {
    return value == null || value.getBytes(StandardCharsets.UTF_8).length > LONGEST ? null : value;
  }
}
