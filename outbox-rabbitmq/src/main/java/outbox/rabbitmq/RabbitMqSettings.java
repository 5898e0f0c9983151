package outbox.rabbitmq;

import java.time.Duration;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
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
      throw new NonRetryableException(
          "the rule for the %s has none for event %s of type %s; correct it, then replay the event"
              .formatted(name, event.eventId(), event.eventType()));
    }
    return value;
  }
}
