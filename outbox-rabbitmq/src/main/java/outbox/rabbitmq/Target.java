package outbox.rabbitmq;

import java.nio.charset.StandardCharsets;
import outbox.NonRetryableException;

/** Where an event is published to. */
record Target(String exchange, String routingKey) {

  /** What the protocol has room for. */
  private static final int LONGEST = 255;

  Target {
    requireShort("exchange", exchange);
    requireShort("routing key", routingKey);
  }

  private static void requireShort(String name, String value) {
    int length = value.getBytes(StandardCharsets.UTF_8).length;
    if (length > LONGEST) {
      throw new NonRetryableException(
          "%s must be at most %d bytes, got: %d".formatted(name, LONGEST, length));
    }
  }

  @Override
  public String toString() {
    return "exchange '%s', routing key '%s'".formatted(exchange, routingKey);
  }
}
