package outbox.rabbitmq;

import java.time.Duration;
import outbox.EventEnvelope;
import outbox.destination.MessageFormat;
import outbox.destination.NameRule;

/** What a destination was built with. */
record RabbitMqSettings(
    NameRule exchange,
    NameRule routingKey,
    MessageFormat format,
    int maxMessageBytes,
    Duration closeTimeout) {

  Target target(EventEnvelope event) {
    return new Target(
        required("exchange", exchange, event), required("routing key", routingKey, event));
  }

  private static String required(String name, NameRule rule, EventEnvelope event) {
    String value = rule.nameFor(event);
    if (value == null) {
      throw new IllegalArgumentException(
          "%s must not be null for event %s (%s)"
              .formatted(name, event.eventId(), event.eventType()));
    }
    return value;
  }
}
