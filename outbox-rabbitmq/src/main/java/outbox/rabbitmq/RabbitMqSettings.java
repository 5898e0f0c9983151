package outbox.rabbitmq;

import java.time.Duration;
import java.util.function.Function;
import outbox.EventEnvelope;
import outbox.destination.MessageFormat;

/** What a destination was built with. */
record RabbitMqSettings(
    Function<EventEnvelope, String> exchange,
    Function<EventEnvelope, String> routingKey,
    MessageFormat format,
    int maxMessageBytes,
    Duration closeTimeout) {

  Target target(EventEnvelope event) {
    return new Target(
        required("exchange", exchange, event), required("routing key", routingKey, event));
  }

  private static String required(
      String name, Function<EventEnvelope, String> rule, EventEnvelope event) {
    String value = rule.apply(event);
    if (value == null) {
      throw new IllegalArgumentException(
          "%s must not be null for event %s (%s)"
              .formatted(name, event.eventId(), event.eventType()));
    }
    return value;
  }
}
